import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import styles from './text-field.module.css';

export type TextFieldProps = Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'size'> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** Hides the label except from screen readers; the placeholder replaces it. */
  hideLabel?: boolean;
  hint?: string | undefined;
  error?: string | undefined;
  leading?: ReactNode;
  trailing?: ReactNode;
};

/** A field for one line of text, with a label. */
export function TextField(props: TextFieldProps) {
  const { label, value, onChange, hideLabel, hint, error, leading, trailing, className, ...rest } = props;
  const id = useId();
  const note = error ?? hint;
  const isInvalid = error !== undefined || undefined;
  return (
    <div className={cx(styles.field, className)}>
      <label htmlFor={id} className={hideLabel ? styles.hidden : styles.label}>
        {label}
      </label>
      <div className={styles.box} data-invalid={isInvalid}>
        {leading}
        <input
          dir="auto"
          autoComplete="off"
          {...rest}
          id={id}
          className={styles.input}
          value={value}
          aria-invalid={isInvalid}
          aria-describedby={note && `${id}-note`}
          onChange={(event) => onChange(event.target.value)}
        />
        {trailing}
      </div>
      {note && (
        <p id={`${id}-note`} className={styles.note} data-invalid={isInvalid}>
          {note}
        </p>
      )}
    </div>
  );
}

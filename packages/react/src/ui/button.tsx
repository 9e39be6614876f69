import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';
import { cx } from './cx.ts';
import { Spinner } from './spinner.tsx';

export type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger';
  size?: 's' | 'm' | 'l';
  submit?: boolean;
  /** Shows a spinner and takes no presses. */
  busy?: boolean;
  icon?: ReactNode;
  wide?: boolean;
};

/** A button with a label. */
export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'm',
    submit,
    busy = false,
    icon,
    wide,
    className,
    children,
    disabled,
    ...rest
  } = props;
  return (
    <button
      {...rest}
      type={submit ? 'submit' : 'button'}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      data-variant={variant}
      data-size={size}
      className={cx(styles.button, wide && styles.wide, className)}
    >
      {busy ? <Spinner size={16} /> : icon}
      {children}
    </button>
  );
}

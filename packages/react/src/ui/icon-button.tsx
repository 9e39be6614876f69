import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import styles from './icon-button.module.css';
import { Tooltip, type TooltipSide } from './tooltip.tsx';

export type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'aria-label' | 'title'> & {
  /** The accessible name, also shown as a tooltip. */
  label: string;
  variant?: 'quiet' | 'accent' | 'soft';
  size?: 's' | 'm';
  tooltip?: TooltipSide | 'none';
};

/** A button with an icon and a name for screen readers. */
export function IconButton(props: IconButtonProps) {
  const { label, variant = 'quiet', size = 'm', tooltip = 'top', className, ...rest } = props;
  const button = (
    <button
      {...rest}
      type="button"
      aria-label={label}
      data-variant={variant}
      data-size={size}
      className={cx(styles.button, className)}
    />
  );
  return tooltip === 'none' ? button : <Tooltip text={label} side={tooltip} trigger={button} />;
}

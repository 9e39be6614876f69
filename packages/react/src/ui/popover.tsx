import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { cx, kitRoot } from './cx.ts';
import styles from './popup.module.css';

export type PopoverProps = {
  label: string;
  trigger: ReactElement;
  children: ReactNode;
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

export function Popover(props: PopoverProps) {
  const { label, trigger, children, side = 'top', align = 'end', open, onOpenChange } = props;
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          className={styles.positioner}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          <Base.Popup className={cx(kitRoot, styles.popup)} aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

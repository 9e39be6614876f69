import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { cx, kitRoot } from './cx.ts';
import styles from './popup.module.css';

export type MenuAction = {
  id: string;
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

export type MenuProps = {
  trigger: ReactElement;
  actions: readonly MenuAction[];
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  align?: 'start' | 'center' | 'end';
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
};

/** A button that opens a list of actions; dangerous ones come last, behind a line. */
export function Menu({ trigger, actions, side = 'bottom', align = 'end', open, onOpenChange }: MenuProps) {
  const safe = actions.filter((action) => !action.danger);
  const danger = actions.filter((action) => action.danger);
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange?.(next)} modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner
          className={styles.positioner}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          <Base.Popup className={cx(kitRoot, styles.popup, styles.menu)}>
            {safe.map(renderAction)}
            {safe.length > 0 && danger.length > 0 && <Base.Separator className={styles.separator} />}
            {danger.map(renderAction)}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function renderAction({ id, label, icon, danger, disabled, onSelect }: MenuAction) {
  return (
    <Base.Item
      key={id}
      className={styles.item}
      data-danger={danger || undefined}
      disabled={disabled ?? false}
      onClick={onSelect}
    >
      {icon}
      {label}
    </Base.Item>
  );
}

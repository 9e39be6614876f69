import { Menu as Base } from '@base-ui/react/menu';
import { Fragment, type ReactNode, useEffect, useRef } from 'react';
import { backTo } from './back-to.ts';
import { cx, kitRoot } from './cx.ts';
import { useLayer } from './layers.ts';
import styles from './popup.module.css';
import type { AnchoredPopup } from './use-trigger.ts';

export type MenuAction = {
  id: string;
  label: string;
  icon?: ReactNode;
  /** Entries of another group than the one before are behind a line. */
  group?: string;
  danger?: boolean;
  disabled?: boolean;
  onSelect: () => void;
};

export type MenuPopupProps = AnchoredPopup & {
  actions: readonly MenuAction[];
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  align?: 'start' | 'center' | 'end';
  byKey: boolean;
};

export function MenuPopup(props: MenuPopupProps) {
  const { anchor, actions, byKey, side = 'bottom', align = 'end', ...root } = props;
  const popup = useRef<HTMLDivElement>(null);
  useLayer(root.open, () => root.onOpenChange(false));
  useEffect(() => {
    if (!root.open || !byKey) return;
    const frame = requestAnimationFrame(() => focusFirst(popup.current));
    return () => cancelAnimationFrame(frame);
  }, [root.open, byKey]);
  const safe = actions.filter((action) => !action.danger);
  const danger = actions.filter((action) => action.danger);
  return (
    <Base.Root {...root} modal={false}>
      <Base.Portal>
        <Base.Positioner
          className={styles.positioner}
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
        >
          <Base.Popup
            ref={popup}
            className={cx(kitRoot, styles.popup, styles.menu)}
            finalFocus={backTo(() => anchor.current)}
          >
            {[...safe, ...danger].map((action, index, all) => (
              <Fragment key={action.id}>
                {index > 0 && isDivided(all[index - 1], action) && (
                  <Base.Separator className={styles.separator} />
                )}
                {renderAction(action)}
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const isDivided = (before: MenuAction | undefined, action: MenuAction): boolean =>
  before?.group !== action.group || Boolean(before?.danger) !== Boolean(action.danger);

// A menu opened by key begins at its first entry, unless an arrow has moved on already.
function focusFirst(popup: HTMLElement | null) {
  const first = popup?.querySelector<HTMLElement>('[role="menuitem"]');
  if (!popup?.querySelector(':focus')) first?.focus();
}

function renderAction({ label, icon, danger, disabled, onSelect }: MenuAction) {
  return (
    <Base.Item
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

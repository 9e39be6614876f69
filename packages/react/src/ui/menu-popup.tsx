import { Menu as Base } from '@base-ui/react/menu';
import {
  type FocusEvent,
  Fragment,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
} from 'react';
import { backTo } from './back-to.ts';
import { cx, kitRoot } from './cx.ts';
import { useLayer } from './layers.ts';
import styles from './popup.module.css';
import { useIsLate } from './use-late-focus.ts';
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
};

export function MenuPopup(props: MenuPopupProps) {
  const { anchor, actions, byKey, side = 'bottom', align = 'end', ...root } = props;
  const popup = useRef<HTMLDivElement>(null);
  useLayer(root.open, () => root.onOpenChange(false));
  const isLate = useIsLate({ anchor, open: root.open, byKey });
  const begun = useFirstEntry(popup, root.open, byKey && !isLate, actions);
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
            {...begun}
            {...(isLate && { initialFocus: false })}
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

/**
 * A menu opened by key begins at its first entry and stays there until the user moves on, also when entries come while it is open
 * (a message that is being sent offers less than a sent one), or when the menu opens or grows under a pointer that rests: the
 * library gives the focus to the entry under it, or takes it away with that entry. Returns the handlers of the popup.
 */
function useFirstEntry(
  popup: RefObject<HTMLElement | null>,
  open: boolean,
  byKey: boolean,
  actions: readonly MenuAction[],
) {
  const hasMoved = useRef(false);
  const ids = actions.map(({ id }) => id).join(' ');
  useEffect(() => {
    if (!open) hasMoved.current = false;
    if (!open || !ids) return;
    // The library's own focus comes a frame later too.
    const frame = requestAnimationFrame(() => focusEntry(popup.current, hasMoved.current, byKey));
    return () => cancelAnimationFrame(frame);
  }, [popup, open, byKey, ids]);
  return {
    onKeyDownCapture: () => {
      hasMoved.current = true;
    },
    onMouseMoveCapture: (event: MouseEvent) => {
      // A pointer that rests while the page moves under it moves by nothing.
      if (event.movementX !== 0 || event.movementY !== 0) hasMoved.current = true;
      else if (byKey && !hasMoved.current) event.stopPropagation();
    },
    onFocus: ({ target }: FocusEvent) => {
      if (!byKey || hasMoved.current || target !== popup.current) return;
      requestAnimationFrame(() => hasMoved.current || focusEntry(popup.current, false, byKey));
    },
  };
}

const firstIn = (popup: HTMLElement | null) => popup?.querySelector<HTMLElement>('[role="menuitem"]');

function focusEntry(popup: HTMLElement | null, isKept: boolean, byKey: boolean) {
  const kept = isKept ? popup?.querySelector<HTMLElement>('[role="menuitem"]:focus') : null;
  // The focus goes by way of the popup: the library looks at an entry anew only when the focus comes to it.
  if (kept) popup?.focus({ preventScroll: true });
  (kept ?? (byKey ? firstIn(popup) : null))?.focus();
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

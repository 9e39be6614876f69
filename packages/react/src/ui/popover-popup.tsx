import { Popover as Base } from '@base-ui/react/popover';
import type { ReactNode } from 'react';
import { backTo } from './back-to.ts';
import { cx, kitRoot } from './cx.ts';
import { useEarlyLetters } from './early-letters.ts';
import { useLayer } from './layers.ts';
import styles from './popup.module.css';
import { LatePopup, useIsLate } from './use-late-focus.ts';
import type { AnchoredPopup } from './use-trigger.ts';

export type PopoverPopupProps = AnchoredPopup & {
  label: string;
  children: ReactNode;
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end';
  align?: 'start' | 'center' | 'end';
};

export function PopoverPopup(props: PopoverPopupProps) {
  const { anchor, label, children, byKey, side = 'top', align = 'end', ...root } = props;
  const isLate = useIsLate({ anchor, open: root.open, byKey });
  const early = useEarlyLetters();
  useLayer(root.open, () => root.onOpenChange(false));
  return (
    <Base.Root {...root}>
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
            {...early}
            {...(isLate && { initialFocus: false })}
            className={cx(kitRoot, styles.popup)}
            aria-label={label}
            finalFocus={backTo(() => anchor.current)}
          >
            <LatePopup value={isLate}>{children}</LatePopup>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

import { Tooltip as Base } from '@base-ui/react/tooltip';
import { type ReactNode, useEffect } from 'react';
import { cx, kitRoot } from './cx.ts';
import styles from './popup.module.css';

export type TooltipSide = 'top' | 'bottom' | 'inline-start' | 'inline-end';

export type Tip = { anchor: Element; text: ReactNode; side: TooltipSide };

export type TooltipPopupProps = { tip: Tip; open: boolean; onLeave: () => void };

export function TooltipPopup({ tip, open, onLeave }: TooltipPopupProps) {
  useEffect(() => {
    if (!open) return;
    // The tip also leaves when the trigger has moved away from the pointer, which fires no leave event.
    const look = ({ target }: Event) => (target instanceof Node && tip.anchor.contains(target)) || onLeave();
    // A panel that is closed takes its button along, which fires no event at all.
    const check = () => tip.anchor.checkVisibility() || onLeave();
    const observer = new MutationObserver(check);
    check();
    observer.observe(document.body, { childList: true, attributes: true, subtree: true });
    const key = (event: KeyboardEvent) => event.key === 'Escape' && onLeave();
    document.addEventListener('pointerover', look);
    document.addEventListener('keydown', key);
    return () => {
      observer.disconnect();
      document.removeEventListener('pointerover', look);
      document.removeEventListener('keydown', key);
    };
  }, [tip, open, onLeave]);
  return (
    <Base.Root open={open}>
      <Base.Portal>
        <Base.Positioner
          // The tip is for eyes: its button has a name of its own, and a screen reader would find this outside of every part of the page.
          aria-hidden
          className={styles.positioner}
          anchor={tip.anchor}
          side={tip.side}
          sideOffset={6}
        >
          <Base.Popup className={cx(kitRoot, styles.tooltip)}>{tip.text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { cx, kitRoot } from './cx.ts';
import styles from './popup.module.css';

export type TooltipSide = 'top' | 'bottom' | 'inline-start' | 'inline-end';

export type TooltipProps = { text: ReactNode; trigger: ReactElement; side?: TooltipSide };

/** Words for sighted pointer and keyboard users; the trigger keeps its own accessible name. */
export function Tooltip({ text, trigger, side = 'top' }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={styles.positioner} side={side} sideOffset={6}>
          <Base.Popup className={cx(kitRoot, styles.tooltip)}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export type TooltipGroupProps = { children: ReactNode };

/** Tooltips inside follow one another without delay once the first has shown. */
export function TooltipGroup({ children }: TooltipGroupProps) {
  return (
    <Base.Provider delay={450} closeDelay={0} timeout={300}>
      {children}
    </Base.Provider>
  );
}

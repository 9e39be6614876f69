import { type PointerEvent, useEffect } from 'react';
import { useIsFirstScreenReady } from '../../../chat/use-first-screen.ts';
import { whenIdle } from '../../../ui/when-idle.ts';
import { MessageSheet } from './message-sheet.tsx';
import type { RowTouch } from './row-touch.ts';

/** Follows a finger or a pen on a row; the mouse is left alone, and a second finger, which pinches. */
export const startTouch = (event: PointerEvent<HTMLElement>, handlers: RowTouch): void => {
  const { currentTarget, nativeEvent, target } = event;
  // A dialog of the row is elsewhere on the page, but its events pass through here.
  if (event.pointerType === 'mouse' || !event.isPrimary) return;
  if (!(target instanceof Node && currentTarget.contains(target))) return;
  // A tap that is over before the code arrives must not be taken for a finger that rests, nor one that pinches by then.
  const over = new AbortController();
  for (const type of ['pointerup', 'pointercancel', 'pointerdown'])
    addEventListener(type, () => over.abort(), { signal: over.signal, capture: true });
  import('./row-touch.ts').then(
    ({ followTouch }) => over.signal.aborted || followTouch(currentTarget, nativeEvent, handlers),
    () => {},
  );
};

/** Loads the gestures after the first screen: they must also work for a user who has lost the network since. */
export function TouchStart() {
  const isReady = useIsFirstScreenReady();
  useEffect(
    () =>
      isReady && matchMedia('(any-pointer: coarse)').matches
        ? whenIdle(() => {
            MessageSheet.preload().catch(() => {});
            import('./row-touch.ts').catch(() => {});
          })
        : undefined,
    [isReady],
  );
  return null;
}

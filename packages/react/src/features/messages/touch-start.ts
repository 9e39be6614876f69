import { type PointerEvent, useEffect } from 'react';
import { useFirstScreenStands } from '../../chat/use-first-screen.ts';
import { whenIdle } from '../../ui/when-idle.ts';
import { MessageSheet } from './message-sheet.tsx';
import type { RowTouch } from './row-touch.ts';

/** A tap may be over when code arrives later than this, and would then be taken for a finger that rests. */
const soonMs = 80;

/** Follows a finger on a row. Mouse and pen are left alone. */
export const startTouch = (event: PointerEvent<HTMLElement>, handlers: RowTouch): void => {
  if (event.pointerType !== 'touch') return;
  const { currentTarget, nativeEvent } = event;
  const from = performance.now();
  import('./row-touch.ts').then(
    ({ followTouch }) =>
      performance.now() - from < soonMs && followTouch(currentTarget, nativeEvent, handlers),
    () => {},
  );
};

/** Loads the gestures after the first screen: they must also work for a user who has lost the network since. */
export function TouchStart() {
  const stands = useFirstScreenStands();
  useEffect(
    () =>
      stands && matchMedia('(any-pointer: coarse)').matches
        ? whenIdle(() => {
            MessageSheet.preload().catch(() => {});
            import('./row-touch.ts').catch(() => {});
          })
        : undefined,
    [stands],
  );
  return null;
}

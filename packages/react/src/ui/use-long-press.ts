import { type PointerEvent, useEffect, useRef } from 'react';

const HOLD_MS = 420;
const SLOP_PX = 8;
/** The time in which a browser turns the end of a touch into a click. */
const CLICK_MS = 100;

type LongPressHandlers = {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onContextMenu: (event: { preventDefault: () => void }) => void;
};

/** The release of the finger must not press the held element, nor one that has opened under it meanwhile. */
const swallowRelease = () => {
  const swallow = (event: MouseEvent) => {
    if (event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  };
  const lift = () => {
    removeEventListener('touchend', lift, true);
    removeEventListener('touchcancel', lift, true);
    setTimeout(() => removeEventListener('click', swallow, true), CLICK_MS);
  };
  addEventListener('click', swallow, true);
  addEventListener('touchend', lift, true);
  addEventListener('touchcancel', lift, true);
};

/** Calls back when a finger rests on the element. Mouse and pen are left alone. */
export function useLongPress(onLongPress: () => void): LongPressHandlers {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const touching = useRef(false);

  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onPointerDown: (event) => {
      touching.current = event.pointerType === 'touch';
      if (!touching.current) return;
      start.current = { x: event.clientX, y: event.clientY };
      stop();
      timer.current = setTimeout(() => {
        swallowRelease();
        onLongPress();
      }, HOLD_MS);
    },
    onPointerMove: (event) => {
      const { x, y } = start.current;
      if (Math.hypot(event.clientX - x, event.clientY - y) > SLOP_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    // The browser's own menu would open over ours at the end of the same press.
    onContextMenu: (event) => {
      if (touching.current) event.preventDefault();
    },
  };
}

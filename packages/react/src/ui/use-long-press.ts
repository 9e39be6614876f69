import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react';

const HOLD_MS = 420;
const SLOP_PX = 8;

type LongPressHandlers = {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: () => void;
  onPointerCancel: () => void;
  onContextMenu: (event: { preventDefault: () => void }) => void;
  onClickCapture: (event: MouseEvent) => void;
};

/** Calls back when a finger rests on the element. Mouse and pen are left alone. */
export function useLongPress(onLongPress: () => void): LongPressHandlers {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const start = useRef({ x: 0, y: 0 });
  const touching = useRef(false);
  const fired = useRef(false);

  const stop = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    onPointerDown: (event) => {
      touching.current = event.pointerType === 'touch';
      fired.current = false;
      if (!touching.current) return;
      start.current = { x: event.clientX, y: event.clientY };
      stop();
      timer.current = setTimeout(() => {
        fired.current = true;
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
    // Letting go of a picture or a file must not open it as well.
    onClickCapture: (event) => {
      if (!fired.current || event.detail === 0) return;
      fired.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

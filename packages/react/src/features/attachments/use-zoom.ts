import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import {
  fitted,
  keepInside,
  type Point,
  type Size,
  type Swipe,
  swipeOf,
  whole,
  type ZoomView,
  zoomAt,
} from './zoom.ts';

type Gesture = {
  fingers: Map<number, Point>;
  start: Point;
  since: number;
  /** The distance between two fingers. */
  span: number;
  /** The distance that one finger has dragged a picture that is shown whole. */
  drawn: Point | undefined;
};

export type Zoom = {
  view: ZoomView;
  /** The distance that a finger drags the whole picture. */
  drawn: Point | undefined;
  zoomBy: (factor: number) => void;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: (event: PointerEvent<HTMLElement>) => void;
    onPointerCancel: (event: PointerEvent<HTMLElement>) => void;
    onDoubleClick: (event: { clientX: number; clientY: number }) => void;
  };
};

export type ZoomOptions = {
  stage: RefObject<HTMLElement | null>;
  natural: () => Size;
  onSwipe: (swipe: Swipe) => void;
};

const middle = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
});
const spanOf = ([a, b]: readonly Point[]): number => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0);

const sizeOf = (stage: HTMLElement | null): Size => ({
  width: stage?.clientWidth ?? 0,
  height: stage?.clientHeight ?? 0,
});

/** A point, from the middle of the stage. */
const pointIn = (
  stage: HTMLElement | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): Point => {
  const box = stage?.getBoundingClientRect();
  if (!box) return { x: 0, y: 0 };
  return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
};

const press = (held: Gesture, event: { pointerId: number; timeStamp: number }, at: Point): void => {
  held.fingers.set(event.pointerId, at);
  const points = [...held.fingers.values()];
  held.start = middle(points);
  held.span = spanOf(points);
  held.since = event.timeStamp;
  held.drawn = undefined;
};

/** Wheel, pinch and double click enlarge; a finger or the mouse moves an enlarged picture, and swipes a whole one. */
export function useZoom({ stage, natural, onSwipe }: ZoomOptions): Zoom {
  const [view, setView] = useState(whole);
  const [drawn, setDrawn] = useState<Point>();
  const latest = useRef(view);
  const gesture = useRef<Gesture>({ fingers: new Map(), start: whole, since: 0, span: 0, drawn: undefined });
  const set = (next: ZoomView) => {
    const size = sizeOf(stage.current);
    latest.current = keepInside(next, size, fitted(natural(), size));
    setView(latest.current);
  };
  const zoom = (point: Point, factor: number) => set(zoomAt(latest.current, point, factor));
  useWheel(stage, zoom);

  const end = (event: PointerEvent<HTMLElement>) => {
    const held = gesture.current;
    if (!held.fingers.delete(event.pointerId)) return;
    held.start = middle([...held.fingers.values()]);
    const far = held.drawn;
    if (held.fingers.size > 0 || !far) return;
    held.drawn = undefined;
    setDrawn(undefined);
    const swipe = swipeOf(far, event.timeStamp - held.since, sizeOf(stage.current));
    if (swipe && event.type === 'pointerup') onSwipe(swipe);
  };
  const move = (event: PointerEvent<HTMLElement>) => {
    const held = gesture.current;
    if (!held.fingers.has(event.pointerId)) return;
    held.fingers.set(event.pointerId, pointIn(stage.current, event));
    const points = [...held.fingers.values()];
    const now = middle(points);
    const by = { x: now.x - held.start.x, y: now.y - held.start.y };
    if (points.length === 1 && latest.current.scale === 1) {
      if (event.pointerType === 'mouse') return;
      held.drawn = by;
      return setDrawn(by);
    }
    const span = spanOf(points);
    const moved = { ...latest.current, x: latest.current.x + by.x, y: latest.current.y + by.y };
    set(span > 0 && held.span > 0 ? zoomAt(moved, now, span / held.span) : moved);
    held.start = now;
    held.span = span;
  };
  return {
    view,
    drawn,
    zoomBy: (factor) => zoom({ x: 0, y: 0 }, factor),
    handlers: {
      onPointerDown: (event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        press(gesture.current, event, pointIn(stage.current, event));
        setDrawn(undefined);
      },
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: end,
      onDoubleClick: (event) =>
        latest.current.scale > 1 ? set(whole) : zoom(pointIn(stage.current, event), 2.5),
    },
  };
}

/** Listens without a prop: React listens passively, and the page would be zoomed as well. */
function useWheel(stage: RefObject<HTMLElement | null>, zoom: (point: Point, factor: number) => void): void {
  const latest = useRef(zoom);
  useEffect(() => {
    latest.current = zoom;
  });
  useEffect(() => {
    const element = stage.current;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const lines = event.deltaMode === 1 ? 16 : 1;
      latest.current(pointIn(element, event), Math.exp(-event.deltaY * lines * 0.0022));
    };
    element?.addEventListener('wheel', onWheel, { passive: false });
    return () => element?.removeEventListener('wheel', onWheel);
  }, [stage]);
}

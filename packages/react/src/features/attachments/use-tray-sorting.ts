import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

export type TraySorting = {
  /** The id of the entry that is being dragged. */
  held: string | undefined;
  grab: (event: PointerEvent, id: string) => void;
  step: (event: KeyboardEvent<HTMLElement>, id: string) => void;
};

const attribute = 'data-sorting';
/** Goes on every entry, so that the one under the pointer is known. */
export const sortingMark = (id: string) => ({ [attribute]: id });

const isRtl = (element: Element) => getComputedStyle(element).direction === 'rtl';

const stepOf = (event: KeyboardEvent): number | undefined => {
  const forward = isRtl(event.currentTarget) ? -1 : 1;
  const steps: Record<string, number> = {
    ...{ ArrowLeft: -forward, ArrowRight: forward, ArrowUp: -1, ArrowDown: 1 },
    ...{ Home: -Infinity, End: Infinity },
  };
  return steps[event.key];
};

/** Puts entries in another order by pointer and by the arrow keys; an entry that moves keeps the focus. */
export function useTraySorting(ids: readonly string[], move: (id: string, to: number) => void): TraySorting {
  const [held, setHeld] = useState<string>();
  const refocus = useRef<HTMLElement>(undefined);
  const latest = useRef({ ids, move });
  useLayoutEffect(() => {
    latest.current = { ids, move };
    refocus.current?.focus();
    refocus.current = undefined;
  });

  const put = useCallback((id: string, to: number) => {
    const { ids: now, move: go } = latest.current;
    const at = Math.max(0, Math.min(to, now.length - 1));
    if (now.indexOf(id) !== at) go(id, at);
  }, []);
  useEffect(() => {
    if (held === undefined) return;
    const onMove = ({ clientX, clientY }: globalThis.PointerEvent) => {
      const under = document.elementFromPoint(clientX, clientY)?.closest(`[${attribute}]`);
      const to = latest.current.ids.indexOf(under?.getAttribute(attribute) ?? '');
      if (to >= 0) put(held, to);
    };
    const onEnd = () => setHeld(undefined);
    // The document listens: an entry that moves under the pointer would lose a captured one.
    const ends = ['pointerup', 'pointercancel'];
    document.addEventListener('pointermove', onMove);
    for (const name of ends) document.addEventListener(name, onEnd);
    return () => {
      document.removeEventListener('pointermove', onMove);
      for (const name of ends) document.removeEventListener(name, onEnd);
    };
  }, [held, put]);

  const grab = useCallback((event: PointerEvent, id: string) => {
    if (event.button === 0) setHeld(id);
  }, []);
  const step = useCallback(
    (event: KeyboardEvent<HTMLElement>, id: string) => {
      const by = stepOf(event);
      if (by === undefined) return;
      event.preventDefault();
      refocus.current = event.currentTarget;
      put(id, latest.current.ids.indexOf(id) + by);
    },
    [put],
  );
  return { held, grab, step };
}

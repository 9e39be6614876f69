import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type Sorting = {
  /** The id of the row that is being dragged. */
  held: string | undefined;
  rowRef: (id: string) => (element: HTMLElement | null) => void;
  handleProps: (
    id: string,
    index: number,
  ) => {
    ref: (element: HTMLButtonElement | null) => void;
    onPointerDown: (event: PointerEvent) => void;
    onKeyDown: (event: KeyboardEvent) => void;
  };
};

const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** Moves rows by pointer and by the arrow keys. A row that moves in the document loses the focus, and gets it back. */
export function useSorting(ids: readonly string[], move: (id: string, to: number) => void): Sorting {
  const [held, setHeld] = useState<string>();
  const rows = useRef(new Map<string, HTMLElement>());
  const handles = useRef(new Map<string, HTMLElement>());
  const refocus = useRef<string>(undefined);
  const latest = useRef({ ids, move });
  latest.current = { ids, move };

  useEffect(() => {
    if (held === undefined) return;
    // The document listens: a row that moves under the pointer would lose a captured one.
    const onMove = (event: globalThis.PointerEvent) => {
      const to = latest.current.ids.findIndex((id) => {
        const box = rows.current.get(id)?.getBoundingClientRect();
        return box !== undefined && event.clientY < box.bottom;
      });
      latest.current.move(held, to < 0 ? latest.current.ids.length - 1 : to);
    };
    const onEnd = () => setHeld(undefined);
    document.addEventListener('pointermove', onMove);
    document.addEventListener('pointerup', onEnd);
    document.addEventListener('pointercancel', onEnd);
    return () => {
      document.removeEventListener('pointermove', onMove);
      document.removeEventListener('pointerup', onEnd);
      document.removeEventListener('pointercancel', onEnd);
    };
  }, [held]);

  useLayoutEffect(() => {
    if (refocus.current === undefined) return;
    handles.current.get(refocus.current)?.focus();
    refocus.current = undefined;
  });

  const keep = (map: Map<string, HTMLElement>, id: string) => (element: HTMLElement | null) => {
    if (element) map.set(id, element);
    else map.delete(id);
  };
  return {
    held,
    rowRef: (id) => keep(rows.current, id),
    handleProps: (id, index) => ({
      ref: keep(handles.current, id),
      onPointerDown: (event) => {
        if (event.button === 0) setHeld(id);
      },
      onKeyDown: (event) => {
        const step = steps[event.key];
        if (step === undefined) return;
        event.preventDefault();
        refocus.current = id;
        move(id, index + step);
      },
    }),
  };
}

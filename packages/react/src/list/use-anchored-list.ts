import {
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { placeOf } from './list-machine.ts';
import { drawnRows, readRows } from './list-page.ts';
import {
  aimAt,
  createListScroller,
  followScroll,
  holdPlace,
  type ListEvents,
  planRows,
} from './list-scroller.ts';
import { type Anchor, sumOf } from './list-window.ts';

export type MessageListHandle = {
  scrollToEnd: () => void;
  /** False when the key is not loaded: then the list goes there as soon as it is. */
  scrollToKey: (key: string) => boolean;
};

export type AnchoredListOptions = ListEvents & {
  keys: readonly string[];
  /** The indices of the keys of separators, which are no messages. */
  separators: readonly number[];
  initial: Anchor | undefined;
  /** Called with the place of the reader when the list is unmounted; undefined at the end. */
  onLeave: ((place: Anchor | undefined) => void) | undefined;
  handle: Ref<MessageListHandle> | undefined;
};

export type AnchoredList = {
  scroller: RefObject<HTMLDivElement | null>;
  start: number;
  end: number;
  /** The estimated height of the rows that are not drawn. */
  above: number;
  below: number;
  onScroll: () => void;
};

const useList = (initial: Anchor | undefined) => useState(() => createListScroller(initial))[0];

/** Draws the rows around the one that is read, and keeps that in its place whatever changes around it. */
export function useAnchoredList(options: AnchoredListOptions): AnchoredList {
  const { keys, handle } = options;
  const scroller = useRef<HTMLDivElement>(null);
  const list = useList(options.initial);
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const range = planRows(list, keys, options.separators);

  const aim = (anchor: Anchor | undefined) => {
    const isLoaded = aimAt(list, anchor);
    if (isLoaded) draw();
    return isLoaded;
  };
  useImperativeHandle(handle, () => ({
    scrollToEnd: () => void aim(undefined),
    scrollToKey: (key) => aim({ key }),
  }));

  const watch = useSizes(() => {
    if (!holdPlace(list)) flushSync(draw);
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element) list.page = { element, rows: () => readRows(element), events: options };
    if (!holdPlace(list)) draw();
    watch(scroller.current);
  });

  const leave = useRef(options.onLeave);
  leave.current = options.onLeave;
  useLayoutEffect(() => () => leave.current?.(placeOf(list.model)), [list]);

  const rows = { keys, sizeOf: list.sizeOf };
  return {
    scroller,
    ...range,
    above: sumOf(rows, 0, range.start),
    below: sumOf(rows, range.end, keys.length),
    onScroll: () => {
      if (!followScroll(list)) flushSync(draw);
    },
  };
}

/** Calls back when the list or a row drawn in it changed its size, after layout and before paint. */
function useSizes(onChange: () => void): (scroller: HTMLElement | null) => void {
  const latest = useRef(onChange);
  latest.current = onChange;
  const watched = useRef(new Set<Element>());
  const observer = useRef<ResizeObserver>(undefined);
  useLayoutEffect(() => {
    return () => {
      observer.current?.disconnect();
      observer.current = undefined;
      watched.current.clear();
    };
  }, []);
  return (scroller) => {
    if (scroller === null) return;
    observer.current ??= new ResizeObserver(() => latest.current());
    const now = new Set<Element>([scroller, ...drawnRows(scroller)]);
    for (const element of watched.current) if (!now.has(element)) observer.current.unobserve(element);
    for (const element of now) if (!watched.current.has(element)) observer.current.observe(element);
    watched.current = now;
  };
}

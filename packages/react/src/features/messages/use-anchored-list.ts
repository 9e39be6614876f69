import type { Ref } from 'react';
import { type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import type { VirtualizerHandle } from 'virtua';

export type MessageListHandle = {
  scrollToEnd: (smooth?: boolean) => void;
  /** False when the key is not loaded. */
  scrollToKey: (key: string) => boolean;
};

export type AnchoredListOptions = {
  keys: readonly string[];
  /** Where to begin; the end when left out or not loaded. */
  initialKey?: string | undefined;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  onReachStart: (() => void) | undefined;
  onReachEnd: (() => void) | undefined;
  onAtEndChange: ((atEnd: boolean) => void) | undefined;
  handle: Ref<MessageListHandle> | undefined;
};

const AT_END_PX = 24;
const REACH_PX = 700;
const SETTLE_MS = 120;

type AnchoredList = {
  virtualizer: RefObject<VirtualizerHandle | null>;
  /** True in the render that adds older items, so what is read stays where it is. */
  shift: boolean;
  onScroll: () => void;
  onResize: () => void;
};

/** Keeps a list at its end while the reader is there, and still while older items arrive. */
export function useAnchoredList(options: AnchoredListOptions): AnchoredList {
  const { keys, handle, initialKey, hasMoreAfter } = options;
  const virtualizer = useRef<VirtualizerHandle>(null);
  const place = useRef<Place>({ atEnd: true, reported: undefined, offset: 0, askedStart: -1, askedEnd: -1 });
  const before = useRef<readonly string[]>([]);
  const shift = isPrepended(before.current, keys);

  const settle = () => {
    if (virtualizer.current !== null && keys.length > 0) look(virtualizer.current, place.current, options);
  };
  const scrollToEnd = (smooth = false) => {
    place.current.atEnd = true;
    virtualizer.current?.scrollToIndex(keys.length - 1, { align: 'end', smooth });
  };
  const scrollToKey = (key: string) => {
    const index = keys.indexOf(key);
    if (index < 0) return false;
    place.current.atEnd = false;
    virtualizer.current?.scrollToIndex(index, { align: 'center' });
    return true;
  };
  useImperativeHandle(handle, () => ({ scrollToEnd, scrollToKey }));

  useLayoutEffect(() => {
    const first = before.current.length === 0;
    const grew = before.current.at(-1) !== keys.at(-1);
    before.current = keys;
    if (keys.length === 0 || (first && initialKey !== undefined && scrollToKey(initialKey))) return;
    if (first || (grew && place.current.atEnd && !hasMoreAfter)) scrollToEnd();
  });

  useLayoutEffect(() => {
    // A remount, as Strict Mode does, has to find its place again.
    return () => {
      before.current = [];
    };
  }, []);

  // A page that does not fill the viewport never scrolls, so reaching is also looked at after each change.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the items change, with the newest callbacks
  useEffect(() => {
    const timer = setTimeout(settle, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [keys, options.hasMoreBefore, hasMoreAfter]);

  const onResize = () => {
    if (place.current.atEnd && !hasMoreAfter) scrollToEnd();
  };
  return { virtualizer, shift, onScroll: settle, onResize };
}

type Place = {
  atEnd: boolean;
  /** What was last told; undefined before the first look, which is always told. */
  reported: boolean | undefined;
  offset: number;
  /** The length of the list for which more was asked, so that one scroll loads one page. */
  askedStart: number;
  askedEnd: number;
};

/** Whether all that is new stands above what was there. The very first row does not count: a day's separator stays
 * first when older messages of that day arrive. Rows in the middle, such as what came while one's own was waiting to
 * be sent, are no prepending: taken for one, every row below would be drawn in another's place. */
export function isPrepended(before: readonly string[], now: readonly string[]): boolean {
  const added = now.length - before.length;
  const from = before.length > 1 ? 1 : 0;
  if (added <= 0 || before.length === 0) return false;
  return now[from + added] === before[from] && now.at(-1) === before.at(-1);
}

/** Reads where the list stands now, and says so to those who want to know. */
function look(list: VirtualizerHandle, place: Place, options: AnchoredListOptions) {
  const { keys, hasMoreBefore, hasMoreAfter } = options;
  const offset = list.scrollOffset;
  const distance = list.scrollSize - offset - list.viewportSize;

  // Growing content also leaves a distance; only a move upwards is the reader's wish to leave the end.
  const movedUp = offset < place.offset - 1;
  place.offset = offset;
  place.atEnd = distance <= AT_END_PX || (place.atEnd && !movedUp);
  const latest = place.atEnd && !hasMoreAfter;
  if (latest !== place.reported) options.onAtEndChange?.(latest);
  place.reported = latest;

  const wasStart = place.askedStart;
  const wasEnd = place.askedEnd;
  // Leaving the edge forgets the question, so that coming back asks again after a failure.
  place.askedStart = offset < REACH_PX ? (hasMoreBefore ? keys.length : wasStart) : -1;
  place.askedEnd = distance < REACH_PX ? (hasMoreAfter ? keys.length : wasEnd) : -1;
  if (hasMoreBefore && offset < REACH_PX && wasStart !== keys.length) options.onReachStart?.();
  if (hasMoreAfter && distance < REACH_PX && wasEnd !== keys.length) options.onReachEnd?.();
}

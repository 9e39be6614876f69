import { type Anchor, anchorAfter, anchorAt, type Range, type Rows, rangeAround } from './list-window.ts';

export type ListEvents = {
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  onReachStart: (() => void) | undefined;
  onReachEnd: (() => void) | undefined;
  onAtEndChange: ((atEnd: boolean) => void) | undefined;
  onLost: ((key: string) => void) | undefined;
};

/** Where a list stands, and what keeps it there. */
export type ListScroller = Rows & {
  sizes: Map<string, number>;
  element: HTMLElement | null;
  range: Range;
  /** The row that stays where it is; none means the end. */
  anchor: Anchor | undefined;
  /** Taken while rows above it, in view, were not drawn yet: what is first in view is not known. */
  isRough: boolean;
  /** What stood there until its window went. */
  lost: Anchor | undefined;
  /** Where to go as soon as it is loaded. */
  wanted: Anchor | undefined;
  /** Where this put the list: any other position is the reader's doing. */
  placed: number;
  atEnd: boolean | undefined;
  /** How often rows were drawn in vain to fill the view: what never settles must not draw forever. */
  passes: number;
  /** The edges at which more was asked for, so that one page is loaded once. */
  askedStart: string | undefined;
  askedEnd: string | undefined;
  events: ListEvents | undefined;
};

/** What is drawn beyond each edge, and what of it must be there. */
const beyondPx = 450;
const enoughPx = 225;
const estimatePx = 64;
const nearPx = 24;
const reachPx = 700;
const spareSizes = 1000;
const maxPasses = 6;

export const createListScroller = (initial: Anchor | undefined): ListScroller => {
  const sizes = new Map<string, number>();
  return {
    sizes,
    sizeOf: (key) => sizes.get(key) ?? estimatePx,
    keys: [],
    element: null,
    range: { start: 0, end: 0 },
    anchor: undefined,
    isRough: false,
    lost: undefined,
    wanted: initial,
    placed: 0,
    passes: 0,
    atEnd: undefined,
    askedStart: undefined,
    askedEnd: undefined,
    events: undefined,
  };
};

const rowSelector = ':scope > [data-key]';

export const drawnRows = (element: HTMLElement): HTMLElement[] =>
  Array.from(element.querySelectorAll<HTMLElement>(rowSelector));

const topOf = (element: HTMLElement): number => element.getBoundingClientRect().top;

const leftBelow = (element: HTMLElement): number =>
  element.scrollHeight - element.scrollTop - element.clientHeight;

const isAtVeryEnd = ({ events }: ListScroller, element: HTMLElement): boolean =>
  leftBelow(element) <= 2 && !events?.hasMoreAfter;

/** A separator is no anchor: the one of a day stays first when older messages of that day arrive. */
const isMessage = (row: HTMLElement | undefined): boolean => row?.querySelector('[data-row]') != null;

const rowOf = (element: HTMLElement, key: string | undefined): HTMLElement | undefined =>
  drawnRows(element).find(({ dataset }) => dataset.key === key);

/** Takes what is seen now for what is to stay: the first message that begins in view. */
const adopt = (list: ListScroller, element: HTMLElement) => {
  list.placed = element.scrollTop;
  const line = topOf(element);
  const rows = drawnRows(element);
  const isGap = (rows[0]?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) > line + 1;
  list.isRough = list.range.start > 0 && isGap;
  const seen = rows
    .filter(isMessage)
    .map((row) => ({ key: row.dataset.key ?? '', box: row.getBoundingClientRect() }))
    .filter(({ box }) => box.bottom > line + 1 && box.top < line + element.clientHeight);
  const first = seen.find(({ box }) => box.top >= line - 1) ?? seen[0];
  const isEnd = isAtVeryEnd(list, element);
  list.anchor = isEnd
    ? undefined
    : first
      ? { key: first.key, offset: first.box.top - line }
      : anchorAt(list, list.placed);
};

/** A move of the reader's takes them where they are going, and calls off what was on its way. */
const heed = (list: ListScroller) => {
  const { element, placed } = list;
  if (element === null || Math.abs(element.scrollTop - placed) <= 1) return;
  list.wanted = undefined;
  list.lost = undefined;
  adopt(list, element);
};

const measure = ({ sizes, keys }: ListScroller, element: HTMLElement) => {
  for (const row of drawnRows(element)) sizes.set(row.dataset.key ?? '', row.getBoundingClientRect().height);
  if (sizes.size <= keys.length + spareSizes) return;
  const known = new Set(keys);
  for (const key of sizes.keys()) if (!known.has(key)) sizes.delete(key);
};

const covers = ({ range, keys }: ListScroller, element: HTMLElement): boolean => {
  const rows = drawnRows(element);
  const line = topOf(element);
  const above = line - (rows[0]?.getBoundingClientRect().top ?? line);
  const below = (rows.at(-1)?.getBoundingClientRect().bottom ?? line) - line - element.clientHeight;
  return (range.start === 0 || above >= enoughPx) && (range.end === keys.length || below >= enoughPx);
};

/** Scrolls the anchor to its place; false where an edge of the list is in the way. */
const put = ({ anchor }: ListScroller, element: HTMLElement): boolean => {
  if (anchor === undefined) {
    element.scrollTop = element.scrollHeight;
    return true;
  }
  const row = rowOf(element, anchor.key);
  if (row === undefined) return false;
  const offset = anchor.offset ?? Math.max(0, (element.clientHeight - row.offsetHeight) / 2);
  const off = () => topOf(row) - topOf(element) - offset;
  if (Math.abs(off()) > 0.5) element.scrollTop += off();
  const left = off();
  // Where it came to stand is its place: held against a fraction, it would move by another.
  anchor.offset ??= Math.abs(left) <= 1 ? offset + left : offset;
  return Math.abs(left) <= 1;
};

/** No row beyond the edge could make room for the anchor. */
const isAtEdge = ({ range, keys }: ListScroller, element: HTMLElement): boolean =>
  (range.start === 0 && element.scrollTop <= 1) || (range.end === keys.length && leftBelow(element) <= 1);

/** The anchor could not get where it should be: it stays where it got, so that nothing pulls it later. */
const settle = (list: ListScroller, element: HTMLElement) => {
  const { anchor } = list;
  const row = rowOf(element, anchor?.key);
  const offset = row && topOf(row) - topOf(element);
  const isSeen = offset !== undefined && offset >= -1 && offset < element.clientHeight;
  if (anchor !== undefined && isSeen && !list.isRough) anchor.offset = offset;
  else adopt(list, element);
};

const askForMore = (list: ListScroller, element: HTMLElement, events: ListEvents) => {
  const { keys, askedStart, askedEnd } = list;
  const isNearStart = element.scrollTop < reachPx;
  const isNearEnd = leftBelow(element) < reachPx;
  // A day's separator stays first when older messages of that day arrive, and so may the one of the unread.
  const first = keys.slice(0, 3).join(' ');
  // Leaving the edge forgets the question, so that coming back asks again after a failure.
  list.askedStart = isNearStart ? (events.hasMoreBefore ? first : askedStart) : undefined;
  list.askedEnd = isNearEnd ? (events.hasMoreAfter ? keys.at(-1) : askedEnd) : undefined;
  if (isNearStart && events.hasMoreBefore && askedStart !== list.askedStart) events.onReachStart?.();
  if (isNearEnd && events.hasMoreAfter && askedEnd !== list.askedEnd) events.onReachEnd?.();
};

const askForLost = (list: ListScroller) => {
  const { lost, wanted, events } = list;
  if (lost === undefined || lost === wanted) return;
  if (events?.onLost) list.wanted = lost;
  else list.lost = undefined;
  events?.onLost?.(lost.key);
};

const report = (list: ListScroller, element: HTMLElement) => {
  const { events, keys, anchor } = list;
  if (events === undefined || keys.length === 0) return;
  // Who was elsewhere and is on the way back there has not come to the end.
  const isThere = !events.hasMoreAfter && list.lost === undefined;
  const atEnd = isThere && (anchor === undefined || leftBelow(element) <= nearPx);
  const isNews = atEnd !== list.atEnd;
  list.atEnd = atEnd;
  if (isNews) events.onAtEndChange?.(atEnd);
  askForMore(list, element, events);
};

/** The rows to draw. Reads the page before it changes, where the reader's last move still shows. */
export const planRows = (
  list: ListScroller,
  keys: readonly string[],
  separators: readonly number[],
): Range => {
  heed(list);
  if (keys !== list.keys) {
    const { anchor } = list;
    if (anchor !== undefined) {
      const there = new Set(keys);
      // The separator of a day is in every window of that day: it says nothing of what was read.
      for (const index of separators) if (keys[index] !== anchor.key) there.delete(keys[index] ?? '');
      list.anchor = anchorAfter(anchor, list, (key) => there.has(key));
    }
    // What is to begin with and is not in the first page would pull the reader away later.
    const isFirst = list.keys.length === 0 && keys.length > 0;
    list.keys = keys;
    const isFound = list.wanted !== undefined && keys.includes(list.wanted.key);
    if (isFound) list.anchor = { ...list.wanted, key: list.wanted?.key ?? '' };
    if (isFound || isFirst) list.wanted = undefined;
    if (isFound) Object.assign(list, { lost: undefined, isRough: false });
    if (anchor !== undefined && list.anchor === undefined && list.wanted === undefined) list.lost = anchor;
  }
  // At first only what is seen, as soon as can be: sizes are guessed, and mostly too small.
  const beyond = list.sizes.size === 0 ? 0 : beyondPx;
  list.range = rangeAround(list, list.anchor, { viewport: list.element?.clientHeight ?? 800, beyond });
  return list.range;
};

/** After each change of the page and before it is painted; false when more rows must be drawn first. */
export const holdPlace = (list: ListScroller): boolean => {
  const { element, events, keys } = list;
  // What is not shown has no sizes.
  if (element === null || keys.length === 0 || element.clientHeight === 0) return true;
  measure(list, element);
  const isThere = put(list, element);
  list.placed = element.scrollTop;
  // Before looking at what is covered: rows are drawn around where the anchor is said to stand.
  if (!isThere && isAtEdge(list, element)) settle(list, element);
  if (!covers(list, element) && list.passes++ < maxPasses) return false;
  list.passes = 0;
  const isEndOfWindow = list.anchor === undefined && events?.hasMoreAfter === true;
  const isSeparator = list.anchor !== undefined && !isMessage(rowOf(element, list.anchor.key));
  if (isEndOfWindow || isSeparator || isAtVeryEnd(list, element)) adopt(list, element);
  else if (!isThere) settle(list, element);
  askForLost(list);
  report(list, element);
  return true;
};

/** False when other rows must be drawn. */
export const followScroll = (list: ListScroller): boolean => {
  const { element } = list;
  if (element === null) return true;
  heed(list);
  report(list, element);
  return covers(list, element);
};

/** Where to go; false when the row is not loaded, and then it is gone to once it is. */
export const aimAt = (list: ListScroller, target: Anchor | undefined): boolean => {
  const isLoaded = target === undefined || list.keys.includes(target.key);
  list.wanted = isLoaded ? undefined : target;
  list.lost = undefined;
  if (!isLoaded) return false;
  list.anchor = target && { ...target };
  list.isRough = false;
  list.placed = list.element?.scrollTop ?? 0;
  return true;
};

/** The place of the list as a pure function. Scrolling, drawing and callbacks are effects that the driver runs. */
import { type Anchor, anchorAfter, anchorAt, type Range, rangeAround } from './list-window.ts';

/** A row that is drawn; its edges count from the upper edge of the list. */
export type DrawnRow = { key: string; top: number; bottom: number; isMessage: boolean };

/** The list as the browser has laid it out at one moment. */
export type Layout = {
  viewport: number;
  scrollTop: number;
  /** The distance that the list could still scroll down. */
  leftBelow: number;
  rows: readonly DrawnRow[];
};

/** The row that stays where it is. */
type Held =
  | { status: 'holding'; key: string; offset: number }
  /** Taken while rows above it, in view, were not drawn yet: another row may turn out to be the first in view. */
  | { status: 'guessing'; key: string; offset: number }
  /** True for a row that is loaded and belongs in the middle, which is known once its size is. */
  | { status: 'arriving'; key: string; offset?: undefined };
type Standing = { status: 'following'; key?: undefined } | Held;

/**
 * The place of the list, or its target while it is elsewhere:
 * `awaiting` a row that is not loaded; `lost` the row that was read, because its window was replaced; `returning` to
 * that row, which is being loaded again.
 */
export type ScrollState =
  | Standing
  | { status: 'awaiting' | 'lost' | 'returning'; target: Anchor; stands: Standing };

export type ListModel = {
  state: ScrollState;
  keys: readonly string[];
  range: Range;
  /** The position that the list was given: any other is a move of the reader. */
  placed: number;
  /** The height of the view at that moment. */
  viewport: number;
  /** The number of draws that did not fill the view: sizes that never settle must not draw forever. */
  passes: number;
  /** The last value reported, if any. */
  atEnd?: boolean;
  /** The edges at which more was asked for, so that one page is loaded once. */
  askedStart?: string | undefined;
  askedEnd?: string | undefined;
};

export type ListEvent =
  /** Rows are about to be drawn. `before`: the layout until now, where the reader has moved unnoticed. */
  | {
      type: 'rows';
      keys: readonly string[];
      separators: readonly number[];
      viewport: number;
      beyond: number;
      before?: Layout | undefined;
    }
  /** Rows were drawn or changed their size, and the list was scrolled to its goal as far as its edges allow. */
  | { type: 'placed'; layout: Layout }
  | { type: 'scrolled'; layout: Layout }
  /** Go to a row, or to the end without one. */
  | { type: 'jump'; target: Anchor | undefined; scrollTop: number };

export type ListEffect =
  | { type: 'draw' }
  | { type: 'load-lost'; key: string }
  | { type: 'report-end'; atEnd: boolean }
  | { type: 'reach-start' }
  | { type: 'reach-end' };

export type ListContext = {
  sizeOf: (key: string) => number;
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  /** True when somebody loads the row that was lost. */
  canReturn: boolean;
};

export type Step = readonly [ListModel, readonly ListEffect[]];

/** The height of the rows that must be drawn beyond each edge. */
const enoughPx = 225;
const nearPx = 24;
const reachPx = 700;
const maxPasses = 6;

const following: Standing = { status: 'following' };

export const createListModel = (initial: Anchor | undefined): ListModel => ({
  state: initial ? { status: 'awaiting', target: initial, stands: following } : following,
  keys: [],
  range: { start: 0, end: 0 },
  placed: 0,
  viewport: 0,
  passes: 0,
});

const standingOf = ({ state }: ListModel): Standing => ('stands' in state ? state.stands : state);

const stand = (state: ScrollState, stands: Standing): ScrollState =>
  'stands' in state ? { ...state, stands } : stands;

const heldRow = (model: ListModel): Held | undefined => {
  const standing = standingOf(model);
  return standing.key === undefined ? undefined : standing;
};

const standAt = ({ key, offset }: Anchor): Held =>
  offset === undefined ? { status: 'arriving', key } : { status: 'holding', key, offset };

/** The place to begin with next time; none at the end. */
export const placeOf = (model: ListModel): Anchor | undefined => {
  const held = heldRow(model);
  return held && !model.atEnd ? { key: held.key, offset: held.offset } : undefined;
};

const rowOf = ({ rows }: Layout, { key }: Standing): DrawnRow | undefined =>
  rows.find((row) => row.key === key);

const isAtVeryEnd = ({ leftBelow }: Layout, { hasMoreAfter }: ListContext): boolean =>
  leftBelow <= 2 && !hasMoreAfter;

/** True for a message in view. A view that gets smaller may leave the held row outside, and then another one is read. */
const isRead = (row: DrawnRow | undefined, { viewport }: Layout): boolean =>
  Boolean(row?.isMessage && row.bottom > 1 && row.top < viewport);

/**
 * Holds the current place: the end, or the first message that begins in view. A separator is not held: the one of a day
 * stays first when older messages of that day arrive.
 */
const standHere = ({ keys, range }: ListModel, layout: Layout, context: ListContext): Standing => {
  const { rows, scrollTop } = layout;
  if (isAtVeryEnd(layout, context)) return following;
  const isGap = range.start > 0 && (rows[0]?.top ?? 2) > 1;
  const seen = rows.filter((row) => isRead(row, layout));
  const first = seen.find(({ top }) => top >= -1) ?? seen[0];
  const place = first
    ? { key: first.key, offset: first.top }
    : anchorAt({ keys, sizeOf: context.sizeOf }, scrollTop);
  return place ? { status: isGap ? 'guessing' : 'holding', ...place } : following;
};

/**
 * A view at the end that grows makes the browser scroll up. That is no move of the reader, also where the view is smaller
 * again by the time that the list looks: the end is still the place.
 */
export const hasMoved = (
  model: ListModel,
  { scrollTop, viewport }: Omit<Layout, 'rows' | 'leftBelow'>,
): boolean => {
  const isClamped = !heldRow(model) && viewport !== model.viewport && scrollTop < model.placed;
  return !isClamped && Math.abs(scrollTop - model.placed) > 1;
};

/** A move of the reader sets the place, and cancels a pending jump. */
const followReader = (model: ListModel, layout: Layout, context: ListContext): ListModel =>
  hasMoved(model, layout)
    ? {
        ...model,
        placed: layout.scrollTop,
        viewport: layout.viewport,
        state: standHere(model, layout, context),
      }
    : model;

const covers = ({ range, keys }: ListModel, { rows, viewport }: Layout): boolean =>
  (range.start === 0 || -(rows[0]?.top ?? 0) >= enoughPx) &&
  (range.end === keys.length || (rows.at(-1)?.bottom ?? 0) - viewport >= enoughPx);

/** No row beyond the edge could make room for the held one. */
const isAtEdge = ({ range, keys }: ListModel, { scrollTop, leftBelow }: Layout): boolean =>
  (range.start === 0 && scrollTop <= 1) || (range.end === keys.length && leftBelow <= 1);

const report = (before: ListModel, { scrollTop, leftBelow }: Layout, context: ListContext): Step => {
  const { keys, askedStart, askedEnd } = before;
  const { hasMoreBefore, hasMoreAfter } = context;
  const effects: ListEffect[] = [];
  let { state } = before;
  if (state.status === 'lost') {
    if (context.canReturn) effects.push({ type: 'load-lost', key: state.target.key });
    state = context.canReturn ? { ...state, status: 'returning' } : state.stands;
  }
  // A reader on the way back to another place has not come to the end.
  const isThere = !hasMoreAfter && state.status !== 'returning';
  const atEnd = isThere && (!heldRow(before) || leftBelow <= nearPx);
  // A day's separator stays first when older messages of that day arrive, and so may the one of the unread.
  const first = hasMoreBefore ? keys.slice(0, 3).join(' ') : askedStart;
  const last = hasMoreAfter ? keys.at(-1) : askedEnd;
  // An edge that is left is forgotten, so that coming back asks again after a failure.
  const start = scrollTop < reachPx ? first : undefined;
  const end = leftBelow < reachPx ? last : undefined;
  if (atEnd !== before.atEnd) effects.push({ type: 'report-end', atEnd });
  if (start && start !== askedStart) effects.push({ type: 'reach-start' });
  if (end && end !== askedEnd) effects.push({ type: 'reach-end' });
  return [{ ...before, state, atEnd, askedStart: start, askedEnd: end }, effects];
};

type EventOf<T extends ListEvent['type']> = Extract<ListEvent, { type: T }>;

/** The state among other rows: the target if it is there now, else the held row or the nearest that is still there. */
const stateAmong = (
  model: ListModel,
  { keys, separators }: EventOf<'rows'>,
  { sizeOf }: ListContext,
): ScrollState => {
  const { state } = model;
  const isGoing = 'stands' in state;
  if (isGoing && keys.includes(state.target.key)) return standAt(state.target);
  // A place to begin with that is not in the first page would pull the reader away later.
  if (isGoing && model.keys.length === 0 && keys.length > 0)
    return state.status === 'awaiting' ? state.stands : { ...state, status: 'lost' };
  const held = heldRow(model);
  if (!held) return state;
  const there = new Set(keys);
  // The separator of a day is in every window of that day: it does not show which message was read.
  for (const index of separators) if (keys[index] !== held.key) there.delete(keys[index] ?? '');
  const next = anchorAfter(held, { keys: model.keys, sizeOf }, (key) => there.has(key));
  return next || isGoing
    ? stand(state, next ?? following)
    : { status: 'lost', target: held, stands: following };
};

const onRows = (before: ListModel, event: EventOf<'rows'>, context: ListContext): Step => {
  const { keys } = event;
  const moved = event.before ? followReader(before, event.before, context) : before;
  const state = keys === moved.keys ? moved.state : stateAmong(moved, event, context);
  const model = { ...moved, keys, state };
  const range = rangeAround({ keys, sizeOf: context.sizeOf }, heldRow(model), event);
  return [{ ...model, range }, []];
};

/** The distance that the list must scroll to its place; not a number while the held row is not drawn. */
export const distanceToPlace = (model: ListModel, layout: Layout): number => {
  const held = heldRow(model);
  // The distance goes beyond the end: the browser rounds the remaining height.
  if (!held) return layout.leftBelow + 1;
  const { top, bottom } = rowOf(layout, held) ?? { top: Number.NaN, bottom: 0 };
  return top - (held.offset ?? Math.max(0, (layout.viewport - bottom + top) / 2));
};

/** The row where the scroll left it. One that did not get to its place stays there, so that nothing pulls it later. */
const settle = (from: Standing, model: ListModel, layout: Layout, context: ListContext): Standing => {
  const row = rowOf(layout, from);
  return row && from.status !== 'guessing' && row.top >= -1 && row.top < layout.viewport
    ? standAt({ key: row.key, offset: row.top })
    : standHere(model, layout, context);
};

const onPlaced = (before: ListModel, { layout }: EventOf<'placed'>, context: ListContext): Step => {
  const model = { ...before, placed: layout.scrollTop, viewport: layout.viewport };
  let standing = standingOf(model);
  const isFull = covers(model, layout) || model.passes >= maxPasses;
  const isThere = !standing.key || Math.abs(distanceToPlace(model, layout)) <= 1;
  // An edge is final even where more is to be drawn: rows are drawn around the place of the held one.
  const isFinal = isFull || isAtEdge(model, layout);
  // Where a row arrived is its place: held against a fraction, it would move by another.
  const isArrived = standing.status === 'arriving';
  if (isThere ? isArrived : isFinal)
    standing =
      !isThere && isAtVeryEnd(layout, context) ? following : settle(standing, model, layout, context);
  if (!isFull) {
    const state = stand(model.state, standing);
    return [{ ...model, state, passes: model.passes + 1 }, [{ type: 'draw' }]];
  }
  const isLoose = standing.key ? !isRead(rowOf(layout, standing), layout) : context.hasMoreAfter;
  // A row in its place stays there until nothing is left below: to follow the end from 2 px away would pull it by them.
  const isEnd = isAtVeryEnd(layout, context) && layout.leftBelow < 1;
  if (isLoose || isEnd) standing = standHere(model, layout, context);
  return report({ ...model, passes: 0, state: stand(model.state, standing) }, layout, context);
};

const onScrolled = (before: ListModel, { layout }: EventOf<'scrolled'>, context: ListContext): Step => {
  const [model, effects] = report(followReader(before, layout, context), layout, context);
  return [model, covers(model, layout) ? effects : [...effects, { type: 'draw' }]];
};

const onJump = (model: ListModel, { target, scrollTop }: EventOf<'jump'>): Step => {
  if (target && !model.keys.includes(target.key))
    return [{ ...model, state: { status: 'awaiting', target, stands: standingOf(model) } }, []];
  return [{ ...model, state: target ? standAt(target) : following, placed: scrollTop }, []];
};

export const transition = (model: ListModel, event: ListEvent, context: ListContext): Step => {
  switch (event.type) {
    case 'rows':
      return onRows(model, event, context);
    case 'placed':
      return onPlaced(model, event, context);
    case 'scrolled':
      return onScrolled(model, event, context);
    case 'jump':
      return onJump(model, event);
  }
};

/** Runs the list machine: measures the page, hands it the events in order, and carries out its effects. */
import {
  createListModel,
  type DrawnRow,
  distanceToPlace,
  hasMoved,
  type Layout,
  type ListEffect,
  type ListEvent,
  type ListModel,
  transition,
} from './list-machine.ts';
import type { Anchor, Range } from './list-window.ts';

export type ListEvents = {
  hasMoreBefore: boolean;
  hasMoreAfter: boolean;
  onReachStart: (() => void) | undefined;
  onReachEnd: (() => void) | undefined;
  onAtEndChange: ((atEnd: boolean) => void) | undefined;
  onLost: ((key: string) => void) | undefined;
};

/** The page as far as the list reads and writes it. */
export type ListPage = {
  element: Pick<HTMLElement, 'scrollTop' | 'scrollHeight' | 'clientHeight'>;
  rows: () => DrawnRow[];
  events: ListEvents;
};

export type ListScroller = {
  model: ListModel;
  sizes: Map<string, number>;
  sizeOf: (key: string) => number;
  /** Defined once rows were drawn. */
  page: ListPage | undefined;
};

const beyondPx = 450;
const estimatePx = 64;
const spareSizes = 1000;
const firstViewport = 800;

export const createListScroller = (initial: Anchor | undefined): ListScroller => {
  const sizes = new Map<string, number>();
  const sizeOf = (key: string) => sizes.get(key) ?? estimatePx;
  return { model: createListModel(initial), sizes, sizeOf, page: undefined };
};

const run = (effect: ListEffect, { events }: ListPage) => {
  switch (effect.type) {
    case 'load-lost':
      return events.onLost?.(effect.key);
    case 'report-end':
      return events.onAtEndChange?.(effect.atEnd);
    case 'reach-start':
      return events.onReachStart?.();
    case 'reach-end':
      return events.onReachEnd?.();
  }
};

const dispatch = (list: ListScroller, event: ListEvent): readonly ListEffect[] => {
  const { sizeOf, page } = list;
  const { hasMoreBefore = false, hasMoreAfter = false, onLost } = page?.events ?? {};
  const context = { sizeOf, hasMoreBefore, hasMoreAfter, canReturn: onLost !== undefined };
  const [model, effects] = transition(list.model, event, context);
  list.model = model;
  if (page) for (const effect of effects) run(effect, page);
  return effects;
};

const read = ({ element, rows }: ListPage): Layout => {
  const { scrollTop, scrollHeight, clientHeight } = element;
  return {
    viewport: clientHeight,
    scrollTop,
    leftBelow: scrollHeight - scrollTop - clientHeight,
    rows: rows(),
  };
};

const isDone = (effects: readonly ListEffect[]): boolean => effects.every(({ type }) => type !== 'draw');

const measure = ({ sizes, model: { keys } }: ListScroller, { rows }: Layout) => {
  for (const { key, top, bottom } of rows) sizes.set(key, bottom - top);
  if (sizes.size <= keys.length + spareSizes) return;
  const current = new Set(keys);
  for (const key of sizes.keys()) if (!current.has(key)) sizes.delete(key);
};

/** The rows to draw. Reads the page before it changes, where the reader's last move still shows. */
export const planRows = (
  list: ListScroller,
  keys: readonly string[],
  separators: readonly number[],
): Range => {
  const { model, sizes, page } = list;
  const { scrollTop = 0, clientHeight: viewport = firstViewport } = page?.element ?? {};
  const before = page && hasMoved(model, { scrollTop, viewport }) ? read(page) : undefined;
  // At first only the rows in view are drawn, as soon as possible: sizes are guessed, and mostly too small.
  const beyond = sizes.size === 0 ? 0 : beyondPx;
  dispatch(list, { type: 'rows', keys, separators, viewport, beyond, before });
  return list.model.range;
};

/** Call it after each change of the page and before it is painted; false when more rows must be drawn first. */
export const holdPlace = (list: ListScroller): boolean => {
  const { page } = list;
  // A list that is not shown has no sizes.
  if (!page?.element.clientHeight || list.model.keys.length === 0) return true;
  let layout = read(page);
  measure(list, layout);
  const px = distanceToPlace(list.model, layout);
  if (Math.abs(px) > 0.5) {
    page.element.scrollTop += px;
    layout = read(page);
  }
  return isDone(dispatch(list, { type: 'placed', layout }));
};

/** False when other rows must be drawn. */
export const followScroll = (list: ListScroller): boolean => {
  const { page } = list;
  if (!page || list.model.keys.length === 0) return true;
  return isDone(dispatch(list, { type: 'scrolled', layout: read(page) }));
};

/** Goes to a row; false when it is not loaded: the list goes there once it is. */
export const aimAt = (list: ListScroller, target: Anchor | undefined): boolean => {
  dispatch(list, { type: 'jump', target, scrollTop: list.page?.element.scrollTop ?? 0 });
  return list.model.state.status !== 'awaiting';
};

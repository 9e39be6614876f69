/** The list of tests: a page without a browser, whose rows have heights that the list does not know. */
import type { DrawnRow, ScrollState } from './list-machine.ts';
import {
  aimAt,
  createListScroller,
  followScroll,
  holdPlace,
  type ListEvents,
  planRows,
} from './list-scroller.ts';
import { type Anchor, sumOf } from './list-window.ts';

export type SimulatedRow = { key: string; height: number; isSeparator?: boolean };

export type SimulatedList = ReturnType<typeof createSimulatedList>;

const maxDraws = 20;

type Drawn = { rows: readonly SimulatedRow[]; above: number; below: number };

/** Lays out the drawn rows and scrolls as a browser does: in whole pixels, and no further than the content. */
const createPage = () => {
  let drawn: Drawn = { rows: [], above: 0, below: 0 };
  let position = 0;
  const height = () => drawn.rows.reduce((sum, row) => sum + row.height, drawn.above + drawn.below);
  const element = {
    clientHeight: 600,
    get scrollHeight() {
      return Math.max(element.clientHeight, Math.round(height()));
    },
    get scrollTop() {
      position = Math.min(position, element.scrollHeight - element.clientHeight);
      return position;
    },
    set scrollTop(px: number) {
      position = Math.max(0, Math.round(Math.min(px, element.scrollHeight - element.clientHeight)));
    },
  };
  const measure = (): DrawnRow[] => {
    // Few rows are at the lower edge.
    let top = Math.max(0, element.clientHeight - height()) + drawn.above - element.scrollTop;
    return drawn.rows.map(({ key, height: size, isSeparator = false }) => {
      top += size;
      return { key, top: top - size, bottom: top, isMessage: !isSeparator };
    });
  };
  const draw = (next: Drawn) => {
    drawn = next;
  };
  return { element, measure, draw, drawn: () => drawn };
};

const recordCalls = () => {
  const calls: string[] = [];
  const events: ListEvents = {
    hasMoreBefore: false,
    hasMoreAfter: false,
    onReachStart: () => calls.push('start'),
    onReachEnd: () => calls.push('end'),
    onAtEndChange: (atEnd) => calls.push(atEnd ? 'at end' : 'above'),
    onLost: (key) => calls.push(`lost ${key}`),
  };
  return { calls, events };
};

export const createSimulatedList = (initial?: Anchor) => {
  const list = createListScroller(initial);
  const { calls, events } = recordCalls();
  const page = createPage();
  const { element, measure } = page;
  let rows: readonly SimulatedRow[] = [];
  let keys: readonly string[] = [];
  let separators: readonly number[] = [];
  const draw = (times = 0): void => {
    if (times > maxDraws) throw new Error('The list draws forever');
    const { start, end } = planRows(list, keys, separators);
    const estimated = { keys, sizeOf: list.sizeOf };
    const [above, below] = [sumOf(estimated, 0, start), sumOf(estimated, end, keys.length)];
    page.draw({ rows: rows.slice(start, end), above, below });
    list.page = { element, rows: measure, events };
    // The second time for the observer of sizes, which looks at every new row.
    if (!holdPlace(list) || !holdPlace(list)) draw(times + 1);
  };
  const hold = () => {
    if (!holdPlace(list)) draw();
  };

  return {
    calls,
    events,
    measure,
    leftBelow: () => element.scrollHeight - element.scrollTop - element.clientHeight,
    viewport: () => element.clientHeight,
    scrollTop: () => element.scrollTop,
    rows: () => rows,
    state: (): ScrollState => list.model.state,
    topOf: (key: string) => measure().find((row) => row.key === key)?.top,
    /** Other rows, or the same with other heights that come with the drawing. */
    show: (next: readonly SimulatedRow[]) => {
      rows = next;
      keys = next.map(({ key }) => key);
      separators = next.flatMap(({ isSeparator }, index) => (isSeparator ? [index] : []));
      draw();
    },
    /** Heights that change by themselves, as when an image has loaded. */
    grow: (heightOf: (row: SimulatedRow) => number) => {
      const grown = (row: SimulatedRow) => ({ ...row, height: heightOf(row) });
      rows = rows.map(grown);
      page.draw({ ...page.drawn(), rows: page.drawn().rows.map(grown) });
      hold();
    },
    resize: (px: number) => {
      element.clientHeight = px;
      hold();
    },
    /** The reader scrolls; the list learns of it with the event, which comes later. */
    scroll: (by: number) => {
      element.scrollTop += by;
    },
    scrollEvent: () => {
      if (!followScroll(list)) draw();
    },
    jump: (key?: string) => {
      const isLoaded = aimAt(list, key === undefined ? undefined : { key });
      if (isLoaded) draw();
      return isLoaded;
    },
  };
};

/** Messages whose heights are known and uneven, unlike the estimate of the list. */
export const simulatedRows = (from: number, count: number): SimulatedRow[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index;
    return { key: `m${number}`, height: 30.25 + (Math.abs(number * 37) % 23) * 6.5 };
  });

export type Read = { key: string; top: number } | 'end';

/** The place that a reader looks at: the end, the message they jumped to, or else the first that begins in view. */
export const readIn = (list: SimulatedList, target?: string, endPx = 2): Read | undefined => {
  if (list.leftBelow() <= endPx) return 'end';
  const seen = list
    .measure()
    .filter(({ top, bottom, isMessage }) => isMessage && bottom > 1 && top < list.viewport());
  const begun = seen.filter(({ top }) => top >= -1);
  const row = begun.find(({ key }) => key === target) ?? begun[0] ?? seen[0];
  return row && { key: row.key, top: row.top };
};

/** The distance of the row that is read from where it was. */
export const driftOf = (list: SimulatedList, read: Read): number =>
  read === 'end' ? list.leftBelow() : (list.topOf(read.key) ?? Number.POSITIVE_INFINITY) - read.top;

import { expect, test } from 'vitest';
import {
  createListModel,
  distanceToPlace,
  hasMoved,
  type Layout,
  type ListContext,
  type ListEffect,
  type ListModel,
  placeOf,
  type ScrollState,
  transition,
} from './list-machine.ts';

const keys = Array.from({ length: 20 }, (_, index) => `m${index}`);
const context: ListContext = {
  sizeOf: () => 100,
  hasMoreBefore: false,
  hasMoreAfter: false,
  canReturn: true,
};

/** All rows drawn, 100 px each, in a view of 600 px. */
const layoutAt = (scrollTop: number, names: readonly string[] = keys, viewport = 600): Layout => ({
  viewport,
  scrollTop,
  leftBelow: names.length * 100 - scrollTop - viewport,
  rows: names.map((key, index) => {
    const top = index * 100 - scrollTop;
    return { key, top, bottom: top + 100, isMessage: !key.startsWith('day') };
  }),
});

const rows = (next: readonly string[], separators: readonly number[] = []) =>
  ({ type: 'rows', keys: next, separators, viewport: 600, beyond: 450 }) as const;

const stateOf = (
  model: ListModel,
  event: Parameters<typeof transition>[1],
  settings = context,
): ScrollState => transition(model, event, settings)[0].state;

const typesOf = (effects: readonly ListEffect[]) => effects.map(({ type }) => type);

const following = { status: 'following' } as const;
const holding = { status: 'holding', key: 'm5', offset: 20 } as const;
const guessing = { status: 'guessing', key: 'm5', offset: 20 } as const;
const arriving = { status: 'arriving', key: 'm5' } as const;
const target = { key: 'x1', offset: 20 };
const awaiting = { status: 'awaiting', target, stands: holding } as const;
const lost = { status: 'lost', target, stands: following } as const;
const returning = { status: 'returning', target, stands: holding } as const;
const states: ScrollState[] = [following, holding, guessing, arriving, awaiting, lost, returning];

/** A list whose rows are all drawn, with m5 at 20 px by default. */
const modelIn = (state: ScrollState, rest: Partial<ListModel> = {}): ListModel => ({
  ...createListModel(undefined),
  keys,
  range: { start: 0, end: keys.length },
  placed: 480,
  viewport: 600,
  atEnd: false,
  ...rest,
  state,
});

test.each(states)(
  'M3 $status: a move of the reader holds what they came to, and calls off all else',
  (state) => {
    const moved = { type: 'scrolled', layout: layoutAt(750) } as const;
    expect(stateOf(modelIn(state), moved)).toEqual({ status: 'holding', key: 'm8', offset: 50 });
    expect(stateOf(modelIn(state), { ...rows([...keys, 'm20']), before: layoutAt(750) })).toEqual({
      status: 'holding',
      key: 'm8',
      offset: 50,
    });
    expect(stateOf(modelIn(state), { type: 'scrolled', layout: layoutAt(1399) })).toEqual(following);
  },
);

test.each(states)('M3 $status: a pixel is rounding, and no move', (state) => {
  const settled = state.status === 'lost' ? { ...state, status: 'returning' } : state;
  expect(stateOf(modelIn(state), { type: 'scrolled', layout: layoutAt(481) })).toEqual(settled);
  expect(hasMoved(modelIn(state), { scrollTop: 481, viewport: 600 })).toBe(false);
  expect(hasMoved(modelIn(state), { scrollTop: 482, viewport: 600 })).toBe(true);
});

test('M3 a view at the end that grew and shrank before the list looked has clamped, and nobody has moved', () => {
  const clamped = { ...layoutAt(1336), viewport: 578, leftBelow: 86 };
  const end = modelIn(following, { placed: 1400 });
  expect(stateOf(end, { type: 'scrolled', layout: clamped })).toEqual(following);
  expect(stateOf(end, { ...rows([...keys, 'm20']), before: clamped })).toEqual(following);
  // The same distance in a view of the same height is a move.
  expect(stateOf(end, { type: 'scrolled', layout: layoutAt(1336) }).status).toBe('holding');
  expect(hasMoved(modelIn(holding, { placed: 1400 }), clamped)).toBe(true);
});

test.each(states)('M3 $status: a jump replaces it', (state) => {
  const jump = (aim?: { key: string; offset?: number }) =>
    stateOf(modelIn(state), { type: 'jump', target: aim, scrollTop: 480 });
  expect(jump()).toEqual(following);
  expect(jump({ key: 'm3' })).toEqual({ status: 'arriving', key: 'm3' });
  expect(jump({ key: 'm3', offset: 7 })).toEqual({ status: 'holding', key: 'm3', offset: 7 });
  const stands = 'stands' in state ? state.stands : state;
  expect(jump({ key: 'far' })).toEqual({ status: 'awaiting', target: { key: 'far' }, stands });
});

test.each([
  ['following', following, following],
  ['holding', holding, holding],
  ['guessing', guessing, guessing],
  ['arriving', arriving, arriving],
  ['awaiting', awaiting, awaiting],
  ['lost', lost, lost],
  ['returning', returning, returning],
])('M3 %s stays when rows come that are not its target', (_, state, expected) => {
  expect(stateOf(modelIn(state), rows(['m-1', ...keys, 'm20']))).toEqual(expected);
});

test.each([awaiting, lost, returning])('M3 $status goes to its target once that is loaded', (state) => {
  expect(stateOf(modelIn(state), rows([...keys, 'x1']))).toEqual({ status: 'holding', ...target });
  const middle = { ...state, target: { key: 'x1' } };
  expect(stateOf(modelIn(middle), rows([...keys, 'x1']))).toEqual({ status: 'arriving', key: 'x1' });
});

test.each([
  ['following', following, following],
  ['holding', holding, { status: 'lost', target: { key: 'm5', offset: 20 }, stands: following }],
  ['guessing', guessing, { status: 'lost', target: { key: 'm5', offset: 20 }, stands: following }],
  ['arriving', arriving, { status: 'lost', target: { key: 'm5' }, stands: following }],
  ['awaiting', awaiting, { ...awaiting, stands: following }],
  ['lost', lost, lost],
  ['returning', returning, { ...returning, stands: following }],
])('M3 %s when the window with its row is replaced', (_, state, expected) => {
  expect(stateOf(modelIn(state), rows(['y1', 'y2']))).toMatchObject(expected);
});

test('M3 a neighbour takes the place of a row that is deleted', () => {
  const left = keys.filter((key) => key !== 'm5');
  expect(stateOf(modelIn(holding), rows(left))).toEqual({ ...holding, key: 'm6' });
  expect(stateOf(modelIn(awaiting), rows(left))).toEqual({ ...awaiting, stands: { ...holding, key: 'm6' } });
});

test('M3 the separator of the same day in another window is not the place that was read', () => {
  const before = modelIn({ status: 'holding', key: 'm0', offset: 0 }, { keys: ['day', 'm0', 'm1'] });
  expect(stateOf(before, rows(['day', 'm8', 'm9'], [0])).status).toBe('lost');
});

test.each([
  ['awaiting', awaiting, holding],
  ['lost', lost, lost],
  ['returning', returning, { ...returning, status: 'lost' }],
])('M3 %s after the first page without its target', (_, state, expected) => {
  expect(stateOf(modelIn(state, { keys: [] }), rows(keys))).toEqual(expected);
});

test.each([
  ['following scrolls beyond the end', following, 921],
  ['holding scrolls by what its row is off', holding, 0],
  ['guessing the same', guessing, 0],
  ['arriving scrolls its row to the middle', arriving, -230],
  ['awaiting holds what it stands at', awaiting, 0],
  ['lost stands at the end', lost, 921],
  ['returning holds what it stands at', returning, 0],
])('M3 %s', (_, state, expected) => {
  expect(distanceToPlace(modelIn(state), layoutAt(480))).toBe(expected);
});

test('M3 a row that is not drawn cannot be scrolled to', () => {
  expect(distanceToPlace(modelIn(holding), layoutAt(0, ['m1']))).toBeNaN();
});

const placed = (state: ScrollState, layout: Layout, settings: Partial<ListContext> = {}, rest = {}) =>
  transition(modelIn(state, rest), { type: 'placed', layout }, { ...context, ...settings });

test.each([
  ['following', following, following],
  ['holding', holding, holding],
  ['guessing', guessing, guessing],
  ['awaiting', awaiting, awaiting],
  ['lost asks for its row', lost, { ...lost, status: 'returning' }],
  ['returning', returning, returning],
])('M3 in its place: %s', (_, state, expected) => {
  const isEnd = state.status === 'following' || state.status === 'lost';
  const [model, effects] = placed(state, layoutAt(isEnd ? 1400 : 480));
  expect(model.state).toEqual(expected);
  expect(typesOf(effects)).toEqual(
    state.status === 'lost' ? ['load-lost'] : state.status === 'following' ? ['report-end'] : [],
  );
});

test('M3 in its place: a row that arrived is held at the pixel where it is', () => {
  expect(placed(arriving, layoutAt(250.3))[0].state).toMatchObject({ status: 'holding', key: 'm5' });
  expect(placeOf(placed(arriving, layoutAt(250.3))[0])?.offset).toBeCloseTo(249.7);
});

test('M3 a row that an edge keeps from its place stays where it got', () => {
  const near = { status: 'holding', key: 'm1', offset: 300 } as const;
  expect(placed(near, layoutAt(0))[0].state).toEqual({ ...near, offset: 100 });
  expect(placed({ ...near, status: 'guessing' }, layoutAt(0))[0].state).toMatchObject({
    key: 'm0',
    offset: 0,
  });
  expect(placed({ ...awaiting, stands: near }, layoutAt(0))[0].state).toMatchObject({
    status: 'awaiting',
    stands: { key: 'm1', offset: 100 },
  });
  expect(placed({ status: 'arriving', key: 'm18' }, layoutAt(1400))[0].state).toEqual(following);
});

test('M3 a row in its place is held until nothing is left below, and what an edge keeps from its place follows the end', () => {
  const last = { status: 'holding', key: 'm15', offset: 102 } as const;
  expect(placed(last, layoutAt(1398))[0].state).toEqual(last);
  expect(placed({ ...last, offset: 100 }, layoutAt(1400))[0].state).toEqual(following);
  expect(placed({ ...last, offset: 50 }, layoutAt(1399))[0].state).toEqual(following);
});

test('M3 a held row that a smaller view leaves outside gives its place to the first message in view', () => {
  const below = { status: 'holding', key: 'm9', offset: 420 } as const;
  expect(placed(below, layoutAt(480))[0].state).toEqual(below);
  expect(placed(below, layoutAt(480, keys, 300))[0].state).toEqual({
    status: 'holding',
    key: 'm5',
    offset: 20,
  });
});

test('M3 a separator that was jumped to gives its place to the first message in view', () => {
  const names = ['m0', 'm1', 'day', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7', 'm8'];
  const state = { status: 'holding', key: 'day', offset: 20 } as const;
  const rest = { keys: names, range: { start: 0, end: names.length } };
  expect(placed(state, layoutAt(180, names), {}, rest)[0].state).toMatchObject({ key: 'm2', offset: 120 });
});

test('M3 the end of a window with more below is no end to follow', () => {
  const [model, effects] = placed(following, layoutAt(1400), { hasMoreAfter: true });
  expect(model.state).toEqual({ status: 'holding', key: 'm14', offset: 0 });
  expect(typesOf(effects)).toEqual(['reach-end']);
});

test('M3 without anybody to load it, a lost row is given up', () => {
  const [model, effects] = placed(lost, layoutAt(1400), { canReturn: false });
  expect(model.state).toEqual(following);
  expect(effects).toEqual([{ type: 'report-end', atEnd: true }]);
});

test('M3 rows are drawn until the view is covered, but not forever', () => {
  const part = layoutAt(0, keys.slice(5, 12));
  let model = modelIn(holding, { range: { start: 5, end: 12 } });
  for (let pass = 1; pass <= 6; pass += 1) {
    const [next, effects] = transition(model, { type: 'placed', layout: part }, context);
    expect([next.passes, typesOf(effects)]).toEqual([pass, ['draw']]);
    model = next;
  }
  const [last, effects] = transition(model, { type: 'placed', layout: part }, context);
  expect(last.passes).toBe(0);
  expect(typesOf(effects)).not.toContain('draw');
});

test('M3 a scroll into rows that are not drawn guesses its row until they are', () => {
  const below = keys.slice(9);
  const layout = layoutAt(0, below);
  const gap = {
    ...layout,
    scrollTop: 600,
    rows: layout.rows.map((row) => ({ ...row, top: row.top + 300, bottom: row.bottom + 300 })),
  };
  const before = modelIn(holding, { range: { start: 9, end: 20 }, placed: 1000 });
  const [model, effects] = transition(before, { type: 'scrolled', layout: gap }, context);
  expect(model.state).toEqual({ status: 'guessing', key: 'm9', offset: 300 });
  expect(typesOf(effects)).toContain('draw');
});

test('M3 more is asked for once at each edge, and again after the edge was left', () => {
  const more = { hasMoreBefore: true };
  const start = (model: ListModel, scrollTop: number) =>
    transition(model, { type: 'scrolled', layout: layoutAt(scrollTop) }, { ...context, ...more });
  const [first, asked] = start(modelIn(holding), 300);
  const [second, silent] = start(first, 100);
  const [left] = start(second, 800);
  expect([typesOf(asked), typesOf(silent)]).toEqual([['reach-start'], []]);
  expect(typesOf(start(left, 300)[1])).toEqual(['reach-start']);
});

test('M3 the place to come back to is none at the end, and the held row elsewhere', () => {
  expect(placeOf(modelIn(following))).toBeUndefined();
  expect(placeOf(modelIn(holding))).toEqual({ key: 'm5', offset: 20 });
  expect(placeOf(modelIn(awaiting))).toEqual({ key: 'm5', offset: 20 });
  expect(placeOf(modelIn(holding, { atEnd: true }))).toBeUndefined();
});

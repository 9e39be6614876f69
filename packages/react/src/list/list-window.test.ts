import { expect, test } from 'vitest';
import { anchorAfter, anchorAt, rangeAround } from './list-window.ts';

const rows = (count: number, size = 100) => ({
  keys: Array.from({ length: count }, (_, index) => `m${index}`),
  sizeOf: () => size,
});

const view = { viewport: 800, beyond: 450 };

test('M3 a list without an anchor is drawn up from its end', () => {
  expect(rangeAround(rows(5000), undefined, view)).toEqual({ start: 4987, end: 5000 });
});

test('M3 the drawn rows reach beyond both edges of the view', () => {
  expect(rangeAround(rows(5000), { key: 'm100', offset: 0 }, view)).toEqual({ start: 95, end: 113 });
  expect(rangeAround(rows(5000), { key: 'm0' }, view)).toEqual({ start: 0, end: 9 });
});

test.each([
  ['the row itself stays', ['m1', 'm2'], { key: 'm2', offset: 30 }],
  ['else the next one takes its place', ['m1', 'm4'], { key: 'm4', offset: 30 }],
  ['else the one above, where it was', ['m0', 'm1'], { key: 'm1', offset: -70 }],
  ['nothing is left in another window', ['x'], undefined],
])('M3 the anchor after a change: %s', (_, left, expected) => {
  expect(anchorAfter({ key: 'm2', offset: 30 }, rows(5), (key) => left.includes(key))).toEqual(expected);
});

test('M3 a scroll into rows that are not drawn finds its row', () => {
  expect(anchorAt(rows(10), 250)).toEqual({ key: 'm2', offset: -50 });
  expect(anchorAt(rows(10), 9000)).toBeUndefined();
});

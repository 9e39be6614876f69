import { expect, test } from 'vitest';
import { fitted, keepInside, swipeOf, whole, zoomAt } from './zoom.ts';

const stage = { width: 1000, height: 600 };

test('A1 the point under the pointer stays there while a picture is enlarged', () => {
  const point = { x: 120, y: -80 };
  const before = { scale: 1.5, x: 30, y: 10 };

  const after = zoomAt(before, point, 2);

  expect(after.scale).toBe(3);
  expect((point.x - after.x) / after.scale).toBeCloseTo((point.x - before.x) / before.scale);
  expect((point.y - after.y) / after.scale).toBeCloseTo((point.y - before.y) / before.scale);
});

test('A1 a picture is never smaller than whole, never larger than eight times', () => {
  expect(zoomAt(whole, { x: 0, y: 0 }, 0.2).scale).toBe(1);
  expect(zoomAt(whole, { x: 0, y: 0 }, 100).scale).toBe(8);
});

test('A1 a picture cannot be moved off the stage', () => {
  const picture = fitted({ width: 3000, height: 600 }, stage);

  expect(picture).toEqual({ width: 1000, height: 200 });
  expect(keepInside({ scale: 2, x: 9999, y: 9999 }, stage, picture)).toEqual({ scale: 2, x: 500, y: 0 });
  expect(keepInside({ scale: 1, x: 40, y: -40 }, stage, picture)).toEqual(whole);
});

test.each([
  [-120, 10, 400, 'next'],
  [120, 10, 400, 'previous'],
  [-40, 0, 50, 'next'],
  [-40, 0, 900, undefined],
  [5, 140, 500, 'close'],
  [5, -140, 500, undefined],
])('A1 a swipe by %i, %i in %i ms is %s', (x, y, ms, swipe) => {
  expect(swipeOf({ x, y }, ms, stage)).toBe(swipe);
});

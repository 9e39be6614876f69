import { expect, test } from 'vitest';
import { createSimulatedList, driftOf, readIn, type SimulatedList, simulatedRows } from './simulated-list.ts';

/** Runs a change that is not the reader's, and returns by how many pixels the row that is read has moved. */
const driftBy = (list: SimulatedList, change: () => void): number => {
  const read = readIn(list);
  change();
  return Math.abs(read === undefined ? Number.NaN : driftOf(list, read));
};

const open = (count = 300) => {
  const list = createSimulatedList();
  list.show(simulatedRows(0, count));
  return list;
};

const readingAt = (key: string) => {
  const list = open();
  list.jump(key);
  return list;
};

const scrolled = (list: SimulatedList, by: number) => {
  list.scroll(by);
  list.scrollEvent();
  return list;
};

test('M3 rows that grow late, above and below, move nothing', () => {
  const list = scrolled(readingAt('m150'), 37);
  const drift = driftBy(list, () => {
    for (const { key } of list.measure()) list.grow((row) => row.height + (row.key === key ? 211.4 : 0));
  });
  expect(drift).toBeLessThanOrEqual(0.5);
});

test('M3 a page that arrives at the very top leaves the row that is read where it is', () => {
  const list = scrolled(open(), -1e6);
  expect(list.scrollTop()).toBe(0);
  expect(list.topOf('m0')).toBe(0);
  const drift = driftBy(list, () => list.show([...simulatedRows(-30, 30), ...list.rows()]));
  expect(drift).toBeLessThanOrEqual(0.5);
  expect(list.scrollTop()).toBeGreaterThan(0);
});

test('M3 the separator of a day, first on the page, is not the held row', () => {
  const day = { key: 'day', height: 40, isSeparator: true };
  const list = createSimulatedList();
  list.show([day, ...simulatedRows(0, 100)]);
  scrolled(list, -1e6);
  list.show([day, ...simulatedRows(-30, 130)]);
  expect(list.topOf('m0')).toBeCloseTo(40, 0);
});

test('M3 a page is asked for once at an edge, and again when the reader comes back to it', () => {
  const list = createSimulatedList();
  list.events.hasMoreBefore = true;
  list.show(simulatedRows(0, 100));
  const asked = () => list.calls.filter((call) => call === 'start').length;
  scrolled(scrolled(list, -1e6), 20);
  expect(asked()).toBe(1);
  scrolled(scrolled(list, 2000), -1e6);
  expect(asked()).toBe(2);
  list.show([...simulatedRows(-30, 30), ...list.rows()]);
  scrolled(list, -1e6);
  expect(asked()).toBe(3);
});

test('M3 a jump to a loaded row puts it in the middle, one near an edge as far as that allows', () => {
  const list = readingAt('m150');
  const row = list.measure().find(({ key }) => key === 'm150');
  expect(((row?.top ?? 0) + (row?.bottom ?? 0)) / 2).toBeCloseTo(300, 0);
  list.jump('m1');
  expect(list.scrollTop()).toBe(0);
  list.jump('m299');
  expect(list.state()).toEqual({ status: 'following' });
});

test('M3 a jump to a row that is not loaded waits where the reader is, and goes there with the page', () => {
  const list = readingAt('m150');
  expect(driftBy(list, () => expect(list.jump('m400')).toBe(false))).toBe(0);
  expect(driftBy(list, () => list.show([...list.rows(), ...simulatedRows(300, 10)]))).toBeLessThanOrEqual(
    0.5,
  );
  expect(list.state()).toMatchObject({ status: 'awaiting', stands: { key: 'm150' } });
  list.show(simulatedRows(350, 100));
  expect(list.state()).toMatchObject({ status: 'holding', key: 'm400' });
});

test('M3 a reader who scrolls cancels the pending jump', () => {
  const list = readingAt('m150');
  list.jump('m400');
  scrolled(list, -200);
  expect(list.state().status).toBe('holding');
  expect(driftBy(list, () => list.show(simulatedRows(0, 450)))).toBeLessThanOrEqual(0.5);
});

test('M3 a window of another size, as when the keyboard of a phone opens, holds the end or the row that is read', () => {
  const end = open();
  for (const px of [310, 600]) {
    expect(driftBy(end, () => end.resize(px))).toBe(0);
    expect(end.calls.at(-1)).toBe('at end');
  }
  const above = scrolled(readingAt('m150'), 11);
  expect(driftBy(above, () => [310, 600, 900].map(above.resize))).toBeLessThanOrEqual(0.5);
});

test('M3 new messages are followed at the end, and move nothing for a reader above', () => {
  const list = open();
  const append = () => list.show([...list.rows(), ...simulatedRows(list.rows().length, 3)]);
  expect(driftBy(list, append)).toBe(0);
  scrolled(list, -90);
  expect(driftBy(list, append)).toBeLessThanOrEqual(0.5);
  expect(list.state().status).toBe('holding');
  expect(list.calls.at(-1)).toBe('above');
  list.jump();
  expect(driftBy(list, append)).toBe(0);
  expect(list.calls.at(-1)).toBe('at end');
});

test('M3 a scroll that goes on by itself is never pulled back, whether or not its event has come', () => {
  const list = readingAt('m150');
  for (let turn = 0; turn < 40; turn += 1) {
    list.scroll(-180);
    const read = readIn(list);
    // A page comes before the event of every third move does.
    if (turn % 3 === 0) list.show([...simulatedRows(-5 * (turn + 1), 5), ...list.rows()]);
    list.scrollEvent();
    if (read !== undefined) expect(Math.abs(driftOf(list, read))).toBeLessThanOrEqual(0.5);
  }
});

test('M3 the row that is read is loaded again when its window was replaced, and is where it was', () => {
  const list = scrolled(readingAt('m150'), 25);
  const read = readIn(list);
  const window = list.rows();
  list.events.hasMoreAfter = true;
  list.show(simulatedRows(900, 50));
  expect(list.calls.filter((call) => call.startsWith('lost'))).toEqual([
    `lost ${read === 'end' ? '' : read?.key}`,
  ]);
  expect(list.state().status).toBe('returning');
  list.show(window);
  expect(Math.abs(read === undefined ? Number.NaN : driftOf(list, read))).toBeLessThanOrEqual(0.5);
  expect(list.state().status).toBe('holding');
});

test('M3 a list begins at its end, or where it was left if that is in the first page', () => {
  expect(open().leftBelow()).toBe(0);
  const left = createSimulatedList({ key: 'm40', offset: -12.5 });
  left.show(simulatedRows(0, 100));
  expect(left.topOf('m40')).toBeCloseTo(-12.5, 0);
  const gone = createSimulatedList({ key: 'm400', offset: 0 });
  gone.show(simulatedRows(0, 100));
  gone.show(simulatedRows(0, 500));
  expect(gone.state()).toEqual({ status: 'following' });
});

import { expect, test, vi } from 'vitest';
import { createBatch, createCell, derived } from './readable.ts';

test('many changes in one turn call a listener once, with the last value', async () => {
  const cell = createCell(0, createBatch());
  const listener = vi.fn();
  cell.subscribe(listener);

  cell.set(1);
  cell.set(2);
  expect(listener).not.toHaveBeenCalled();
  await Promise.resolve();

  expect(listener).toHaveBeenCalledOnce();
  expect(cell.get()).toBe(2);
});

test('C6 a listener that throws keeps the change from nobody else, and is reported', async () => {
  const failed = vi.fn();
  const batch = createBatch(queueMicrotask, failed);
  const [first, second] = [createCell(0, batch), createCell(0, batch)];
  const received: string[] = [];
  const bad = new Error('bad');
  first.subscribe(() => {
    throw bad;
  });
  first.subscribe(() => received.push('same value'));
  second.subscribe(() => received.push('another value'));

  first.set(1);
  second.set(1);
  await Promise.resolve();

  expect(received).toEqual(['same value', 'another value']);
  expect(failed.mock.calls).toEqual([[bad]]);
});

test('a listener that stopped is not called', async () => {
  const cell = createCell(0, createBatch());
  const listener = vi.fn();
  const stop = cell.subscribe(listener);

  cell.set(1);
  stop();
  await Promise.resolve();

  expect(listener).not.toHaveBeenCalled();
});

test('a derived value is silent while its result stays the same', async () => {
  const batch = createBatch();
  const cell = createCell({ name: 'a', other: 1 }, batch);
  const name = derived(cell, (value) => value.name);
  const listener = vi.fn();
  name.subscribe(listener);

  cell.set({ name: 'a', other: 2 });
  batch.flush();
  cell.set({ name: 'b', other: 2 });
  batch.flush();

  expect(listener).toHaveBeenCalledOnce();
  expect(name.get()).toBe('b');
});

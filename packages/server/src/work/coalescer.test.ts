import { expect, test } from 'vitest';
import { type CoalescerOptions, createCoalescer, restBounds, restOf, type Touched } from './coalescer.ts';
import { createHandClock } from './testing/hand-clock.ts';

const quiet = { error: () => undefined };

const create = (options: Partial<CoalescerOptions<string[]>> = {}) => {
  const hand = createHandClock();
  const flushed: Touched<string[]>[][] = [];
  const coalescer = createCoalescer<string[]>(
    { clock: hand.clock, log: quiet },
    {
      name: 'test',
      everyMs: 200,
      mostAtOnce: 50,
      merge: (older, newer) => [...older, ...newer],
      flush: async (batch) => {
        flushed.push(batch);
        return [];
      },
      ...options,
    },
  );
  return { ...hand, ...coalescer, flushed };
};

test('P2 a key is flushed at once, then at most once in its interval, and always with the last touch', async () => {
  const { touch, advance, settle, flushed, waits } = create();
  touch('a', ['1']);
  await settle();
  for (const value of ['2', '3', '4']) touch('a', [value]);
  await advance(199);
  expect(flushed).toEqual([[{ key: 'a', value: ['1'] }]]);
  await advance(1);
  expect(flushed[1]).toEqual([{ key: 'a', value: ['2', '3', '4'] }]);
  await advance(1000);
  expect(flushed).toHaveLength(2);
  expect(waits()).toEqual([]);
  touch('a', ['5']);
  await settle();
  expect(flushed[2]).toEqual([{ key: 'a', value: ['5'] }]);
});

test('P5 keys that are touched while others wait share a flush, so many at a time', async () => {
  const { touch, advance, flushed } = create({ waitMs: 250, mostAtOnce: 2 });
  touch('a', ['1']);
  await advance(249);
  touch('b', ['1']);
  touch('c', ['1']);
  expect(flushed).toEqual([]);
  await advance(1);
  expect(flushed.map((batch) => batch.map(({ key }) => key))).toEqual([['a', 'b'], ['c']]);
});

test('P5 a key that is touched during a flush that takes it along does not stop later flushes', async () => {
  let end = () => {};
  const first = new Promise<void>((resolve) => {
    end = resolve;
  });
  const keys: string[] = [];
  const { touch, advance, settle } = create({
    waitMs: 250,
    flush: async (batch) => {
      keys.push(...batch.map(({ key }) => key));
      if (keys.length === 1) await first;
      return [];
    },
  });
  touch('a', ['1']);
  await advance(250);
  touch('b', ['1']);
  end();
  await settle();
  expect(keys).toEqual(['a', 'b']);
  await advance(250);
  touch('c', ['1']);
  await advance(250);
  expect(keys).toEqual(['a', 'b', 'c']);
});

test('P2 keys that could not be published, and all keys of a flush that failed, are tried again with what came since', async () => {
  const outcomes = [['a'], new Error('no database'), []];
  const values: string[][] = [];
  const { touch, advance, settle } = create({
    flush: async (batch) => {
      values.push(batch.flatMap(({ value }) => value));
      const outcome = outcomes.shift() ?? [];
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  touch('a', ['1']);
  await settle();
  touch('a', ['2']);
  await advance(250);
  touch('a', ['3']);
  await advance(999);
  expect(values).toEqual([['1'], ['1', '2']]);
  await advance(1);
  expect(values[2]).toEqual(['1', '2', '3']);
});

test('P2 a coalescer that stops waits for the flush under way and begins no other', async () => {
  let end = () => {};
  const first = new Promise<void>((resolve) => {
    end = resolve;
  });
  let flushes = 0;
  const { touch, advance, stop, waits } = create({
    flush: async () => {
      flushes += 1;
      await first;
      return ['a'];
    },
  });
  touch('a', ['1']);
  touch('b', ['1']);
  let isStopped = false;
  const stopping = stop().then(() => {
    isStopped = true;
  });
  await advance(1000);
  expect(isStopped).toBe(false);
  end();
  await stopping;
  touch('c', ['1']);
  await advance(5000);
  expect([flushes, waits()]).toEqual([1, []]);
});

test('P2 a key that another server flushed just now is tried again when it has rested, with what came meanwhile', async () => {
  let restMs: number | undefined = 120;
  const flushes: Touched<string[]>[][] = [];
  const { touch, advance, settle } = create({
    flush: async (batch) => {
      flushes.push(batch);
      return restMs === undefined ? [] : [{ key: 'a', afterMs: restMs }];
    },
  });
  touch('a', ['1']);
  await settle();
  touch('a', ['2']);
  restMs = undefined;
  await advance(119);
  expect(flushes).toHaveLength(1);

  await advance(1);

  expect(flushes[1]).toEqual([{ key: 'a', value: ['1', '2'] }]);
});

test('P2 a key rests from its flush at any server, and not for longer where a clock was set back', () => {
  const now = '2026-01-01T00:00:10.000Z';
  const at = (ms: number): string => new Date(Date.parse(now) + ms).toISOString();
  expect(restOf(null, now, 200)).toBeUndefined();
  expect([0, -50, -189, -190, -5000].map((ms) => restOf(at(ms), now, 200))).toEqual([
    200,
    150,
    11,
    ...[undefined, undefined],
  ]);
  expect([50, 189, 190, 3_600_000].map((ms) => restOf(at(ms), now, 200))).toEqual([
    200,
    200,
    ...[undefined, undefined],
  ]);
  expect(restBounds(now, 200)).toEqual({ from: at(-190), to: at(190) });
});

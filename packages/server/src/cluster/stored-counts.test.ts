import { expect, test, vi } from 'vitest';
import { StoredCounts } from './stored-counts.ts';

const createScene = () => {
  const rows = new Map<string, number>();
  const sizes: number[] = [];
  let isShared = true;
  const counts = new StoredCounts({
    isShared: () => isShared,
    store: async (changed) => {
      sizes.push(changed.size);
      for (const [key, count] of changed) {
        if (count > 0) rows.set(key, count);
        else rows.delete(key);
      }
    },
    countElsewhere: async () => new Map(),
    onError: (error) => {
      throw error;
    },
  });
  return {
    counts,
    rows,
    sizes,
    setShared: (given: boolean) => {
      isShared = given;
    },
  };
};

test('W4 numbers that ended while the server was alone are not stored for the next server that comes', async () => {
  const { counts, rows, setShared } = createScene();
  counts.set('user ana', 5);
  await counts.storeAndCount('user ana');
  expect([...rows]).toEqual([['user ana', 5]]);

  setShared(false);
  counts.set('user ana', 0);
  counts.set('user bo', 1);
  setShared(true);
  counts.storeAll();

  await vi.waitFor(() => expect([...rows]).toEqual([['user bo', 1]]));
});

test('W4 the numbers of very many are stored in several statements', async () => {
  const { counts, rows, sizes } = createScene();
  for (let n = 0; n < 30_000; n++) counts.set(`user ${n}`, 1);

  await counts.storeAndCount('user 0');

  expect(rows.size).toBe(30_000);
  // Each row has three values, and a statement takes 65 535.
  expect(Math.max(...sizes) * 3).toBeLessThan(65_535);
});

test('W4 numbers that a server releases count no more, also those that come later', async () => {
  const { counts, rows } = createScene();
  counts.set('user ana', 1);
  await counts.storeAndCount('user ana');

  await counts.release();
  counts.set('user bo', 1);
  await counts.storeAndCount('user bo');

  expect([...rows]).toEqual([]);
});

test('W4 a number that is being stored while the server releases all counts no more, also when the database fails once', async () => {
  const rows = new Map<string, number>();
  let go: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    go = resolve;
  });
  let calls = 0;
  const counts = new StoredCounts({
    isShared: () => true,
    store: async (changed) => {
      calls++;
      if (calls === 1) await first;
      if (calls === 2) throw new Error('no database');
      for (const [key, count] of changed) rows.set(key, count);
    },
    countElsewhere: async () => new Map(),
    onError: () => undefined,
  });
  counts.set('user ana', 1);
  const stored = counts.storeAndCount('user ana');
  await vi.waitFor(() => expect(calls).toBe(1));

  const released = counts.release();
  go();
  await stored;
  expect(rows.get('user ana')).toBe(1);
  await expect(released).rejects.toThrow('no database');

  await vi.waitFor(() => expect(rows.get('user ana')).toBe(0));
});

test('W4 numbers that are released after the stop are stored at once, and not tried again later', async () => {
  const { counts, rows } = createScene();
  counts.set('user ana', 1);
  await counts.storeAndCount('user ana');
  counts.stop();
  await counts.release();
  expect([...rows]).toEqual([]);

  vi.useFakeTimers();
  const store = vi.fn(async () => {
    throw new Error('no database');
  });
  const failing = new StoredCounts({
    ...{ store, isShared: () => true, onError: () => undefined },
    countElsewhere: async () => new Map(),
  });
  failing.set('user ana', 1);
  failing.stop();
  await expect(failing.release()).rejects.toThrow('no database');
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();

  expect(store).toHaveBeenCalledTimes(1);
});

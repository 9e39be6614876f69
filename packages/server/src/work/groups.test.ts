import { expect, test } from 'vitest';
import { systemClock } from '../lib/clock.ts';
import { createGroups } from './groups.ts';

const createRun = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const groups = createGroups<string>(
    { clock: systemClock, log: { error: () => undefined } },
    {
      keyOf: ([key = '']) => key,
      run: (item) => {
        begun.push(item);
        return new Promise((resolve) => ends.set(item, resolve));
      },
      most: 10,
    },
  );
  /** Ends an item that is under way, and lets begin what waits for nothing. */
  const end = async (item: string) => {
    ends.get(item)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { groups, begun, end };
};

test('P4 items of one key run in their order, also those that begin later; other keys do not wait', async () => {
  const { groups, begun, end } = createRun();
  const first = groups.begin(['a1', 'a2', 'b1']);
  const second = groups.begin(['a3']);
  await end('');
  await end('b1');
  expect([begun, groups.room]).toEqual([['a1', 'b1'], 7]);
  for (const item of ['a1', 'a2', 'a3']) await end(item);

  await Promise.all([first, second]);
  expect([begun, groups.room]).toEqual([['a1', 'b1', 'a2', 'a3'], 10]);
});

test('P4 a stop waits for the items under way, and begins none of those that wait in line', async () => {
  const { groups, begun, end } = createRun();
  void groups.begin(['a1', 'a2']);
  void groups.begin(['a3']);
  await end('');
  let isStopped = false;
  const stopping = groups.stop().then(() => {
    isStopped = true;
  });
  await end('');
  expect(isStopped).toBe(false);
  await end('a1');

  await stopping;
  expect(begun).toEqual(['a1']);
});

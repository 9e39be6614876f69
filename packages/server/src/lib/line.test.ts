import { expect, test } from 'vitest';
import { createLine } from './line.ts';

test('so many run at a time, in order, and one that fails makes room', async () => {
  const inLine = createLine(2);
  const begun: number[] = [];
  let running = 0;
  let most = 0;
  const job = (index: number) =>
    inLine(async () => {
      begun.push(index);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running--;
      if (index === 1) throw new Error('no');
    });

  const all = await Promise.allSettled([0, 1, 2, 3, 4].map(job));

  expect([most, begun, all.filter(({ status }) => status === 'rejected').length]).toEqual([
    2,
    [0, 1, 2, 3, 4],
    1,
  ]);
});

import { expect, test } from 'vitest';
import { until } from './until.ts';

test('a check that answers by a promise is waited for, not taken for its promise', async () => {
  let asked = 0;
  const value = await until(async () => (++asked < 3 ? undefined : 'there'));
  expect([asked, value]).toEqual([3, 'there']);

  await expect(until(async () => false as const, 'rain', 20)).rejects.toThrow(
    'Waited 20 ms in vain for rain',
  );
});

test('a check that answers at once is asked until it holds', async () => {
  let asked = 0;
  expect(await until(() => ++asked === 2 && asked)).toBe(2);

  await expect(until(() => undefined, 'rain', 20)).rejects.toThrow('in vain for rain');
});

import { expect, test } from 'vitest';
import { until, within } from './until.ts';

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

test('a step that ends in time hands on its value or its error; one that does not is named', async () => {
  expect(await within(Promise.resolve('there'), 'rain')).toBe('there');

  await expect(within(Promise.reject(new Error('no rain')), 'rain')).rejects.toThrow('no rain');
  await expect(within(new Promise(() => undefined), 'rain', 20)).rejects.toThrow(
    'Waited 20 ms in vain for rain',
  );
});

import { expect, test } from 'vitest';
import { createStatementNames } from './statements.ts';

test('C12 a text is prepared when it comes again, and only 200 texts are', () => {
  const names = createStatementNames();
  expect(names.nameOf('select 1')).toBeUndefined();
  expect(names.nameOf('select 1')).toBe('s0.0');

  const texts = Array.from({ length: 400 }, (_, index) => `select ${index} + 1`);
  for (const text of texts) names.nameOf(text);
  const prepared = texts.filter((text) => names.nameOf(text) !== undefined);

  expect(prepared).toHaveLength(199);
  expect(names.nameOf('select 1')).toBe('s0.0');
});

test('W4 a stale plan makes every name new, and the statement runs again', async () => {
  const names = createStatementNames();
  names.nameOf('select 1');
  let tries = 0;
  const run = async () => {
    tries++;
    if (tries === 1)
      throw Object.assign(new Error('cached plan must not change result type'), { code: '0A000' });
    return names.nameOf('select 1');
  };

  expect(await names.fresh(run)).toBe('s1.0');
  expect(names.current('find')).toBe('find.1');
});

import { expect, test } from 'vitest';
import { namedColumnProblems } from './named-columns.ts';

test('a star is found where a statement begins or returns, and allowed within one', () => {
  const text = [
    "const a = 'select * from messages';",
    'const b = `\n  select m.* from messages m`;',
    'const c = `update polls set x = 1 returning *`;',
    'const d = `select a, b from unnest($1) cross join lateral (select * from messages) m`;',
  ].join('\n');
  expect(namedColumnProblems('store.ts', text).map((problem) => problem.split(' ')[0])).toEqual([
    'store.ts:1',
    'store.ts:2',
    'store.ts:4',
  ]);
});

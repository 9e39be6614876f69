import { expect, test } from 'vitest';
import { longStatementProblems } from './long-statements.ts';

test('a read of a call on connections of background work is found, and a job may use them', () => {
  const text = '// kernel.pools.background\nlist(kernel.pools.background);\npools\n  .pool.query(text);';
  expect(longStatementProblems('packages/server/src/features/polls/service.ts', text)).toHaveLength(2);
  const job = 'packages/server/src/features/polls/expiry.ts';
  expect(longStatementProblems(job, 'list(kernel.pools.background);')).toEqual([]);
});

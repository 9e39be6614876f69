import { expect, test } from 'vitest';
import { sqlInStoresProblems } from './sql-in-stores.ts';

const feature = 'packages/server/src/features/polls';

const linesOf = (text: string): string[] =>
  sqlInStoresProblems(`${feature}/service.ts`, text).map((problem) => problem.split(' ')[0] ?? '');

test('a statement outside a store is found by its line, in whatever way it is written', () => {
  const text = [
    "const rows = await db.selectFrom('polls').selectAll().execute();",
    'const found = await sql<Row>`select 1`.execute(db);',
    "const lock = { name: 'lock', text: 'select id from polls for update' };",
    'const take = `\n  with taken as (delete from queue returning id) select id from taken`;',
    "await client.query('update polls set cid = null where id = $1', [id]);",
    "await tx.db\n  .deleteFrom('polls')\n  .execute();",
    "await client.query('SELECT id FROM polls');",
  ].join('\n');

  expect(linesOf(text)).toEqual([1, 2, 2, 3, 4, 6, 8, 10].map((line) => `${feature}/service.ts:${line}`));
});

test('words and the limits of a transaction are no statements', () => {
  const text = [
    "import type { Selectable } from 'kysely';",
    '// Then select from the list: `select id from polls`.',
    "throw invalid('vote', 'selects no option');",
    "await client.query('begin');",
    "await client.query('set synchronous_commit = off');",
    "const label = 'update the poll';",
  ].join('\n');

  expect(linesOf(text)).toEqual([]);
});

test('stores and the folders that they are built on may hold statements', () => {
  const text = "export const list = (db) => db.selectFrom('polls').execute();";
  const allowed = [
    'features/polls/store.ts',
    'features/polls/vote-store.ts',
    'access/store.ts',
    'db/ping.ts',
  ];

  for (const path of allowed) expect(sqlInStoresProblems(`packages/server/src/${path}`, text)).toEqual([]);
  expect(sqlInStoresProblems('packages/server/src/features/polls/restore.ts', text)).toHaveLength(1);
});

import { expect, test } from 'vitest';
import { docPathProblems } from './doc-paths.ts';

test('a file or folder that a page names and that is not there is found', () => {
  const files = ['packages/server/src/work/lane.ts', 'docs/sync.md'];
  const text = [
    'See `lane.ts`, `work/lane.ts`, `work/` and `docs/sync.md`.',
    '`work/lanes.ts`, `jobs/`',
    '`a.b` `POST /x/`',
  ];
  expect(docPathProblems('page.md', text.join('\n'), files).map((problem) => problem.split(',')[0])).toEqual([
    'page.md:2 names work/lanes.ts',
    'page.md:2 names jobs/',
  ]);
});

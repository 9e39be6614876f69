import { expect, test } from 'vitest';
import { commandProblems, docPathProblems, linkProblems } from './doc-paths.ts';
import { repository } from './fixture.ts';

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

test('a link to a file or heading that is not there is found', () => {
  const root = repository({ 'docs/sync.md': '# Sync\n\n## The gap, filled\n', 'README.md': '' });
  const text = [
    '[a](sync.md), [b](sync.md#the-gap-filled), [c](https://example.com/x)',
    '[d](../README.md#top)',
    '[e](doors.md)',
  ].join('\n');
  expect(linkProblems(root, 'docs/page.md', text)).toEqual([
    'docs/page.md:2 links to ../README.md#top, which is not there',
    'docs/page.md:3 links to doors.md, which is not there',
  ]);
});

test('a command that is no script is found', () => {
  expect(commandProblems('page.md', '`npm run demo:reset`\n`npm run polish`', ['demo:reset'])).toEqual([
    'page.md:2 names npm run polish, which is no script of package.json',
  ]);
});

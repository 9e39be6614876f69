import { expect, test } from 'vitest';
import { repository } from './fixture.ts';
import { findCycles, importCycles } from './import-cycles.ts';
import { readModuleGraph } from './module-graph.ts';

const cyclesOf = (files: Record<string, string>): string[][] =>
  findCycles(readModuleGraph(repository(files)));

test('a chain has no cycle', () => {
  const cycles = cyclesOf({
    'packages/client/src/a.ts': `import './b.ts';`,
    'packages/client/src/b.ts': `import './c.ts';`,
    'packages/client/src/c.ts': '',
  });

  expect(cycles).toEqual([]);
});

test('a cycle through a type import is found once, the shortest way', () => {
  const cycles = cyclesOf({
    'packages/client/src/a.ts': `import './b.ts';`,
    'packages/client/src/b.ts': `import type { C } from './c.ts';`,
    'packages/client/src/c.ts': `export { b } from './b.ts'; import './a.ts';`,
  });

  expect(cycles).toEqual([
    [
      'packages/client/src/a.ts',
      'packages/client/src/b.ts',
      'packages/client/src/c.ts',
      'packages/client/src/a.ts',
    ],
  ]);
});

test('a cycle across packages goes through their exports', () => {
  const cycles = cyclesOf({
    'packages/client/src/index.ts': `import type { K } from '@parley/react';`,
    'packages/react/src/index.ts': `export { c } from '@parley/client';`,
  });

  expect(cycles).toHaveLength(1);
});

test('a file that imports itself is a cycle', () => {
  expect(cyclesOf({ 'packages/client/src/a.ts': `import './a.ts';` })).toHaveLength(1);
});

test('a cycle of folders is found in packages whose folders form layers', async () => {
  const root = repository({
    'packages/server/src/hub/hub.ts': `import type { Route } from '../http/route.ts';`,
    'packages/server/src/hub/frame.ts': '',
    'packages/server/src/http/route.ts': '',
    'packages/server/src/http/frames.ts': `import '../hub/frame.ts';`,
    'packages/react/src/ui/a.ts': `import '../chat/b.ts';`,
    'packages/react/src/chat/b.ts': '',
    'packages/react/src/chat/c.ts': `import '../ui/d.ts';`,
    'packages/react/src/ui/d.ts': '',
    'packages/client/src/sync/a.ts': `import '../store/b.ts';`,
    'packages/client/src/store/b.ts': '',
    'packages/client/src/store/c.ts': `import '../sync/d.ts';`,
    'packages/client/src/sync/d.ts': '',
  });

  expect((await importCycles.run(root)).problems).toEqual([
    'packages/react/src/chat → packages/react/src/ui → packages/react/src/chat',
    'packages/server/src/http → packages/server/src/hub → packages/server/src/http',
  ]);
});

test('the entry of a feature may gather its folders, which import the files beside it', async () => {
  const messages = 'packages/react/src/features/messages';
  const files = {
    [`${messages}/feature.ts`]: `import './row/row.ts';`,
    [`${messages}/texts.ts`]: '',
    [`${messages}/row/row.ts`]: `import '../texts.ts';`,
  };
  expect((await importCycles.run(repository(files))).problems).toEqual([]);

  const shared = { [`${messages}/parts.ts`]: `import './row/row.ts';` };
  expect((await importCycles.run(repository({ ...files, ...shared }))).problems).toEqual([
    `${messages} → ${messages}/row → ${messages}`,
  ]);
});

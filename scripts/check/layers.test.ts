import { expect, test } from 'vitest';
import { layerProblems } from './layers.ts';

const graphOf = (imports: [from: string, to: string][], layer = 'server') => {
  const at = (file: string): string => `packages/${layer}/src/${file}`;
  const edges = imports.map(([from, to]) => ({
    ...{ from: at(from), to: at(to), line: 1, specifier: `../${to}`, typeOnly: false },
  }));
  return {
    workspaces: [],
    files: edges.map(({ from }) => from),
    edges: new Map(edges.map((edge) => [edge.from, [edge]])),
  };
};

test('an import of a higher layer is found, and of a lower one is fine', () => {
  const graph = graphOf([
    ['kernel/kernel.ts', 'features/polls/service.ts'],
    ['features/polls/service.ts', 'kernel/kernel.ts'],
    ['server.ts', 'demo/seed.ts'],
    ['db/pool.ts', 'server.ts'],
  ]);
  expect(layerProblems(graph).map((problem) => problem.split(':')[0])).toEqual([
    'packages/server/src/kernel/kernel.ts',
    'packages/server/src/db/pool.ts',
  ]);
});

test('the kit has layers too: a button knows no chat, a list no message, and a feature no conversation', () => {
  const graph = graphOf(
    [
      ['features/composer/composer.tsx', 'markdown/markdown-text.tsx'],
      ['conversation/conversation.tsx', 'features/messages/message-feed.tsx'],
      ['index.ts', 'conversation/conversation.tsx'],
      ['ui/button.tsx', 'chat/use-channel.ts'],
      ['list/list-machine.ts', 'features/messages/message-row.tsx'],
      ['features/threads/thread-panel.tsx', 'conversation/conversation.tsx'],
      ['markdown/markdown.ts', 'testing/records.ts'],
    ],
    'react',
  );
  expect(layerProblems(graph).map((problem) => problem.replace('packages/react/src/', ''))).toEqual([
    'ui/button.tsx:1 imports chat, which is above ui',
    'list/list-machine.ts:1 imports features, which is above list',
    'features/threads/thread-panel.tsx:1 imports conversation, which is above features',
    'markdown/markdown.ts:1 imports testing, which is above markdown',
  ]);
});

test('a folder without a layer is found', () => {
  expect(layerProblems(graphOf([['news/news.ts', 'lib/lru.ts']]))).toContain(
    'packages/server/src/news is in no layer of scripts/check/layers.ts',
  );
});

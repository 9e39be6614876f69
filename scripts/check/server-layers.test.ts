import { expect, test } from 'vitest';
import { layerProblems } from './server-layers.ts';

const graphOf = (imports: [from: string, to: string][]) => {
  const at = (file: string): string => `packages/server/src/${file}`;
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

test('a folder without a layer is found', () => {
  expect(layerProblems(graphOf([['news/news.ts', 'lib/lru.ts']]))).toContain(
    'packages/server/src/news is in no layer of scripts/check/server-layers.ts',
  );
});

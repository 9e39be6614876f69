import { expect, test } from 'vitest';
import { featureOrder } from './feature-order.ts';
import { repository } from './fixture.ts';
import { directionProblems } from './import-directions.ts';
import { readModuleGraph } from './module-graph.ts';

const base = {
  'packages/protocol/src/index.ts': '',
  'packages/protocol/src/errors.ts': '',
  'packages/client/src/index.ts': '',
  'packages/server/src/index.ts': '',
};

const problemsOf = (files: Record<string, string>): string[] => {
  const root = repository({ ...base, ...files });
  return directionProblems(root, readModuleGraph(root));
};

test('downward imports and values from the light entries are fine', () => {
  const problems = problemsOf({
    'packages/client/src/index.ts': `import { e } from '@parley/protocol/errors'; import type { R } from '@parley/protocol';`,
    'packages/server/src/index.ts': `import { r } from '@parley/protocol'; import 'node:fs';`,
    'tests/sync/a.test.ts': `import { s } from '@parley/server'; import { c } from '@parley/client';`,
  });

  expect(problems).toEqual([]);
});

const refused: [path: string, code: string, problem: RegExp][] = [
  [
    'packages/protocol/src/a.ts',
    `import type { S } from '@parley/server';`,
    /protocol may not import server/,
  ],
  ['packages/react/src/a.ts', `import type { R } from '@parley/protocol';`, /react may not import protocol/],
  ['packages/server/src/a.ts', `import '../../client/src/index.ts';`, /server may not import client/],
  ['packages/server/src/a.ts', `import '../../protocol/src/index.ts';`, /reaches into protocol by path/],
  ['packages/server/src/a.ts', `import '@parley/protocol/src/index.ts';`, /not among the exports/],
  ['packages/server/src/a.ts', `import './nowhere.ts';`, /leads to no file/],
  ['packages/client/src/index.ts', `import 'node:fs';`, /imports node:fs/],
  [
    'packages/client/src/index.ts',
    `import { r } from '@parley/protocol';`,
    /imports a value of @parley\/protocol/,
  ],
];

test.each(refused)('%s: %s', (path, code, problem) => {
  expect(problemsOf({ [path]: code })).toEqual([expect.stringMatching(problem)]);
});

test('the browser entry is followed through values, not through types', () => {
  const files = { 'packages/client/src/deep.ts': `import 'node:fs';` };

  expect(problemsOf({ ...files, 'packages/client/src/index.ts': `import './deep.ts';` })).toHaveLength(1);
  expect(
    problemsOf({ ...files, 'packages/client/src/index.ts': `import type { D } from './deep.ts';` }),
  ).toEqual([]);
});

test('the schema library stays out of the browser', () => {
  const problems = problemsOf({
    'packages/client/src/index.ts': `import { e } from '@parley/protocol/errors';`,
    'packages/protocol/src/errors.ts': `import { Type } from 'typebox';`,
  });

  expect(problems).toEqual([expect.stringMatching(/schema library/)]);
});

test('features are ordered by use, whatever the order of the imports', () => {
  const code = `import { messages } from './messages/service.ts';
    import { users } from './users/service.ts';
    type All = typeof messages;
    export const features = [users, messages] as const;`;

  expect(featureOrder('all.ts', code)).toEqual(['users', 'messages']);
});

test('a feature imports only features above it, and is listed', () => {
  const problems = problemsOf({
    'packages/server/src/features/all.ts': `import { m } from './messages/m.ts'; import { u } from './users/u.ts'; export const all = [u, m];`,
    'packages/server/src/features/messages/m.ts': `import { u } from '../users/u.ts'; export const m = u;`,
    'packages/server/src/features/users/u.ts': `import type { M } from '../messages/m.ts'; export const u = 1;`,
    'packages/server/src/features/users/u.test.ts': `import { m } from '../messages/m.ts';`,
    'packages/server/src/features/polls/p.ts': 'export const p = 1;',
  });

  expect(problems).toEqual([
    expect.stringMatching(/features\/polls is neither in/),
    expect.stringMatching(/users\/u\.ts:1 imports messages, which is below users/),
  ]);
});

test('the kit lists its features in all.tsx', () => {
  const problems = problemsOf({
    'packages/react/src/features/all.tsx': `import { m } from './messages/m.ts'; import { p } from './polls/p.ts'; export const all = [m, p];`,
    'packages/react/src/features/messages/m.ts': `import { p } from '../polls/p.ts'; export const m = p;`,
    'packages/react/src/features/polls/p.ts': 'export const p = 1;',
    'packages/react/src/features/reads/r.ts': 'export const r = 1;',
  });

  expect(problems).toEqual([
    expect.stringMatching(/features\/reads is neither in .*all\.tsx/),
    expect.stringMatching(/messages\/m\.ts:1 imports polls, which is below messages/),
  ]);
});

test('features that are only entries are ordered by the exports of their package', () => {
  const problems = problemsOf({
    'packages/client/package.json': JSON.stringify({
      name: '@parley/client',
      exports: {
        '.': './src/index.ts',
        './drafts': './src/features/drafts/index.ts',
        './tasks': './src/features/tasks/index.ts',
      },
    }),
    'packages/client/src/features/all.ts': `import { u } from './users/u.ts'; export const all = [u];`,
    'packages/client/src/features/users/u.ts': `import type { D } from '../drafts/index.ts'; export const u = 1;`,
    'packages/client/src/features/drafts/index.ts': `import { t } from '../tasks/index.ts'; export const d = t;`,
    'packages/client/src/features/tasks/index.ts': `import { u } from '../users/u.ts'; export const t = u;`,
    'packages/client/src/features/polls/index.ts': 'export const p = 1;',
  });

  expect(problems).toEqual([
    expect.stringMatching(/features\/polls is neither in .* nor an entry/),
    expect.stringMatching(/drafts\/index\.ts:1 imports tasks, which is below drafts/),
    expect.stringMatching(/users\/u\.ts:1 imports drafts, which is below users/),
  ]);
});

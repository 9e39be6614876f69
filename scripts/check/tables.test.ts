import { expect, test } from 'vitest';
import { errorTableProblems } from './error-table.ts';
import { featureHomeProblems } from './feature-homes.ts';
import { repository } from './fixture.ts';
import { pinProblems } from './lock-file.ts';

test('each error has its row in the docs, with code and status', () => {
  const table = { NotFound: { code: 16, status: 404 }, Internal: { code: -1, status: 500 } };

  expect(errorTableProblems(table, '| 16 | `NotFound` | 404 | |\n| -1 | Internal | 500 | |')).toEqual([]);
  expect(errorTableProblems(table, '| 17 | NotFound | 404 | |\n| -1 | Internal | 500 | |')).toHaveLength(1);
});

test('ranges are no pins', () => {
  const text = JSON.stringify({
    dependencies: { a: '1.2.3', b: '^1.2.3' },
    devDependencies: { c: '1.0.0-beta.17' },
  });

  expect(pinProblems('package.json', text)).toEqual(['package.json: b "^1.2.3" is not an exact version']);
});

test('a feature has an agreed name, and its routes have schemas', () => {
  const root = repository({
    'packages/protocol/src/features/polls.ts': '',
    'packages/server/src/features/polls/routes.ts': '',
    'packages/server/src/features/drafts/routes.ts': '',
    'packages/client/src/features/voting/actions.ts': '',
  });

  expect(featureHomeProblems(root)).toEqual([
    expect.stringMatching(/client\/src\/features\/voting is not one of the nouns in/),
    expect.stringMatching(/drafts\/routes\.ts has no packages\/protocol\/src\/features\/drafts\.ts/),
  ]);
});

test('an entry of a feature has the name of the feature', () => {
  const entries = (exports: Record<string, string>) =>
    featureHomeProblems(repository({ 'packages/react/package.json': JSON.stringify({ exports }) }));

  expect(
    entries({
      '.': './src/index.ts',
      './polls': './src/features/polls/index.ts',
      './layers': './src/ui/layers.ts',
    }),
  ).toEqual([]);
  expect(
    entries({
      './pins': './src/features/messages/index.ts',
      './threads': './src/features/threads/thread-panel.tsx',
      './polls': './src/ui/polls.ts',
    }),
  ).toEqual([
    expect.stringMatching(/exports \.\/src\/features\/messages\/index\.ts as \.\/pins/),
    expect.stringMatching(/thread-panel\.tsx as \.\/threads/),
    expect.stringMatching(/ui\/polls\.ts as \.\/polls/),
  ]);
});

test('the index.ts of a feature of the client declares nothing but features', () => {
  const root = repository({
    'packages/client/src/features/polls/index.ts': [
      "export { canVote } from './selectors.ts';",
      "export const polls: Feature<Polls> = { name: 'polls', create };",
      'export const pollsWith = (options: Options): Feature<Polls> => make(options);',
      'export const canClose = (poll: Poll): boolean => !poll.is_closed;',
    ].join('\n'),
  });

  expect(featureHomeProblems(root)).toEqual([expect.stringMatching(/polls\/index\.ts declares canClose/)]);
});

import { expect, test } from 'vitest';
import { featureWiringProblems } from './feature-wiring.ts';
import { repository } from './fixture.ts';

const features = 'packages/server/src/features';

test('a feature of the server has a feature.ts that exports its create function alone', () => {
  const root = repository({
    [`${features}/polls/feature.ts`]: 'export type Deps = {};\nexport const createPolls = () => ({});\n',
    [`${features}/channel-types/feature.ts`]: 'export const createTypes = () => ({});\n',
    [`${features}/reads/feature.ts`]: 'export const createReads = 1;\nexport class Reads {}\n',
    [`${features}/drafts/service.ts`]: 'export class Drafts {}\n',
  });

  expect(featureWiringProblems(root)).toEqual([
    expect.stringMatching(
      /channel-types\/feature\.ts exports createTypes: it must export createChannelTypes/,
    ),
    expect.stringMatching(/drafts\/feature\.ts is missing: it exports createDrafts/),
    expect.stringMatching(/reads\/feature\.ts exports createReads, Reads: it must export createReads alone/),
  ]);
});

test('all.ts imports only the feature.ts of a feature, and nobody else imports it', () => {
  const root = repository({
    [`${features}/all.ts`]: [
      "import type { Hub } from '../hub/hub.ts';",
      "import { createFeatureList } from '../wiring/feature.ts';",
      "import { createPolls } from './polls/feature.ts';",
      "import type { Polls } from './polls/service.ts';",
    ].join('\n'),
    [`${features}/polls/feature.ts`]: [
      "import type { Feature } from '../../wiring/feature.ts';",
      'export const createPolls = 1;',
    ].join('\n'),
    'packages/server/src/demo/seed.ts': "import { createPolls } from '../features/polls/feature.ts';",
    'packages/server/src/demo/seed.test.ts': "import { createPolls } from '../features/polls/feature.ts';",
  });

  expect(featureWiringProblems(root)).toEqual([
    expect.stringMatching(/demo\/seed\.ts:1 .* only features\/all\.ts wires features/),
    expect.stringMatching(/all\.ts:4 imports \.\/polls\/service\.ts: only the feature\.ts/),
  ]);
});

test('hooks are answered in feature.ts', () => {
  const root = repository({
    [`${features}/polls/feature.ts`]:
      'messages.hooks.inserted.add(attachPoll);\nexport const createPolls = 1;',
    [`${features}/polls/service.ts`]: 'const polls = 1;\nmessages.hooks.findPolls.set(find);',
  });

  expect(featureWiringProblems(root)).toEqual([expect.stringMatching(/polls\/service\.ts:2 answers a hook/)]);
});

test('a feature.ts that assigns to another feature is found', () => {
  const root = repository({
    [`${features}/polls/feature.ts`]:
      'export const createPolls = () => {\n  messages.beforeSend = check;\n  const found = messages.find;\n};',
  });

  expect(featureWiringProblems(root)).toEqual([expect.stringMatching(/polls\/feature\.ts:2 assigns/)]);
});

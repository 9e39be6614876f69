import { expect, test } from 'vitest';
import { bundleBudget } from './bundles.ts';
import { repository } from './fixture.ts';

const entry = 'packages/react/src/index.ts';
const kit = {
  'packages/react/package.json': '{ "name": "@parley/react", "sideEffects": false }',
  [entry]: "export { provider } from './provider.ts';\nexport { parts } from './parts.ts';",
  'packages/react/src/provider.ts': 'export const provider = () => 1;',
  'packages/react/src/parts.ts': `export const parts = ${JSON.stringify(Array.from({ length: 900 }, (_, at) => at * at * 7919))};`,
};
const provider = { entry, external: [], names: ['provider'] };

test('a bundle within its budget passes, and counts only the exports that a product imports', async () => {
  expect(await bundleBudget('provider', provider, 1).run(repository(kit))).toMatchObject({ problems: [] });
});

test('a bundle over its budget is refused by name, also where a provider takes in what it does not need', async () => {
  const heavy = {
    ...kit,
    'packages/react/src/provider.ts':
      "import { parts } from './parts.ts';\nexport const provider = () => parts;",
  };

  const { problems } = await bundleBudget('provider', provider, 1).run(repository(heavy));

  expect(problems).toEqual([
    expect.stringMatching(/^provider, packages\/react\/src\/index\.ts: [\d.]+ of 1 kB/),
  ]);
});

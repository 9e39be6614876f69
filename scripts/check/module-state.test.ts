import { expect, test } from 'vitest';
import { moduleState, moduleStateProblems } from './module-state.ts';

const namesIn = (text: string): string[] => moduleState('a.ts', text).map(({ name }) => name);

test.each([
  ['let current: string | undefined;', ['current']],
  ['export let count = 0;', ['count']],
  ['const decoded = new Map<string, number>();', ['decoded']],
  ['const made = new WeakMap<object, number>();', ['made']],
  ['const box = createBox(0);', ['box']],
  ['const list: string[] = [];\nexport const add = (one: string) => list.push(one);', ['list']],
  ['const table: Record<string, number> = {};\nexport const put = () => { table.a = 1; };', ['table']],
  ["const known = new Set(['a']);\nexport const learn = () => known.add('b');", ['known']],
])('a module that can change what it holds is found: %s', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

test.each([
  "const kinds = new Set(['image', 'file']);",
  'const none: readonly string[] = [];',
  'export const create = () => { let value = 0; const seen = new Map(); return () => seen.set(value++, 1); };',
  "export const feature = { name: 'a', create: () => new Map() };",
])('tables and the state inside of functions are no state of the module: %s', (text) => {
  expect(namesIn(text)).toEqual([]);
});

test('a problem says where it is; a row of the list that is out of date is one too', () => {
  const problems = moduleStateProblems([
    { path: 'packages/react/src/a.ts', text: '\nconst decoded = new Map();' },
    { path: 'packages/client/src/connection/move.ts', text: 'export const move = 1;' },
  ]);

  expect(problems).toEqual([
    expect.stringMatching(/^packages\/react\/src\/a\.ts:2 decoded outlives/),
    expect.stringMatching(/move\.ts moving is not there any more/),
  ]);
});

import { expect, test } from 'vitest';
import { repository } from './fixture.ts';
import { oneConnection } from './one-connection.ts';

const declarations = `
type Db = { get(id: string): Promise<string> };
type Tx = { db: Db; later(run: () => void): void };
type Kernel = {
  db: Db;
  pools: { pages: Db };
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
};
declare const kernel: Kernel;
declare const access: { look(id: string, db?: Db): Promise<string> };
declare const publish: () => Promise<void>;
const find = (db: Db, id: string) => db.get(id);
const shorten = (text: string) => text.slice(1);
`;

const cases = {
  'the pool by its name': ["kernel.write(async (tx) => find(kernel.db, 'a'));", 'uses kernel.db'],
  'another pool': ["kernel.write(async (tx) => kernel.pools.pages.get('a'));", 'uses kernel.pools.pages'],
  'the pool by a name from outside': [
    "const { db } = kernel; kernel.write((tx) => find(db, 'a'));",
    'uses db',
  ],
  'a second transaction': ['kernel.write(() => kernel.write(async () => 1));', 'uses kernel.write'],
  'a call that takes the pool by default': [
    "kernel.write((tx) => access.look('a'));",
    'waits for access.look',
  ],
  'a transaction by another name': ["kernel.write((t) => access.look('a'));", 'waits for access.look'],
  'one of many calls': [
    "kernel.write((tx) => Promise.all(['a'].map((id) => access.look(id))));",
    'waits for access.look',
  ],
  'a function that gets tx': ['export const help = async (tx: Tx) => publish();', 'waits for publish()'],
  'a function that gets the handle': [
    'export const help = async (db: Db) => publish();',
    'waits for publish()',
  ],
} as const;

const allowed = `
const help = async (tx: Tx) => {
  const one = async (id: string) => find(tx.db, id);
  const [first] = await Promise.all(['a', 'b'].map(one));
  tx.later(() => publish());
  void publish();
  return access.look(shorten(first ?? ''), tx.db).then(shorten);
};
kernel.write((tx) => help(tx));
kernel.write(({ db }) => find(db, 'a'));
access.look('outside');
`;

const settings = {
  compilerOptions: { strict: true, noEmit: true, types: [], target: 'es2024' },
  include: ['src'],
};

test('a transaction that asks for a second connection is found, and one that passes its own on is not', async () => {
  const codes = [...Object.values(cases).map(([code]) => code), allowed];
  const files = codes.map((code, index): [string, string] => [
    `packages/server/src/case-${index}.ts`,
    `${declarations.trim()}\n${code}\nexport {};\n`,
  ]);
  const root = repository({
    'packages/server/tsconfig.json': JSON.stringify(settings),
    ...Object.fromEntries(files),
  });

  const { problems } = await oneConnection.run(root);

  const found = codes.map((_, index) => problems.filter((problem) => problem.includes(`case-${index}.ts:`)));
  expect(found).toEqual([
    ...Object.values(cases).map(([, problem]) => expect.arrayContaining([expect.stringContaining(problem)])),
    [],
  ]);
});

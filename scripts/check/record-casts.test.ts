import { expect, test } from 'vitest';
import { repository } from './fixture.ts';
import { countCasts, recordCastProblems, recordCasts, recordNames } from './record-casts.ts';

test('the names of records are read from their declarations', () => {
  expect(recordNames("const A = record<Dog>('Dog', dog); const B = record<Cat>('Cat', cat);")).toEqual([
    'Dog',
    'Cat',
  ]);
});

test('a cast to a record is found, also inside another type', () => {
  const text = [
    'const a = reply.dog as Dog;',
    'const b = reply.dogs as Record<string, Dog>;',
    'const c = reply as { dogs: Dog[] };',
    'const d = given as unknown as Partial<Dog>;',
    'const e = listener as (dog: Dog) => void;',
    'const f = 1 as Count;',
    "import { Dog as Animal } from 'dogs';",
  ].join('\n');

  const found = recordCastProblems('dogs.ts', text, new Set(['Dog'])).map((problem) => problem.split(' ')[0]);

  expect(found).toEqual(['dogs.ts:1', 'dogs.ts:2', 'dogs.ts:3', 'dogs.ts:4']);
});

test('tests may cast, the sources of a package may not', async () => {
  const root = repository({
    'packages/protocol/src/dogs.ts': "export const DogSchema = record<Dog>('Dog', dog);\n",
    'packages/client/src/dogs.ts': 'export const dog = reply as Dog;\n',
    'packages/client/src/dogs.test.ts': 'const dog = reply as Dog;\n',
    'packages/client/src/testing/dogs.ts': 'export const dog = reply as Dog;\n',
  });

  const { problems } = await recordCasts.run(root);

  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(['packages/client/src/dogs.ts:1']);
});

test('casts of other kinds are counted, and those to a constant are not', () => {
  const text = "const a = b as unknown as C; const d = ['e'] as const; const f = <T>(g: T) => g as T;";

  expect(countCasts('dogs.ts', text)).toBe(3);
});

test('more casts than the sources have today are refused', async () => {
  const casts = Array.from({ length: 500 }, (_, index) => `export const a${index} = given as Text;`);
  const root = repository({ 'packages/client/src/texts.ts': `${casts.join('\n')}\n` });

  const { problems } = await recordCasts.run(root);

  expect(problems).toEqual([expect.stringContaining('500 casts')]);
});

test('casts of tests that say nothing are counted, and refused where they grow', async () => {
  const casts = Array.from(
    { length: 250 },
    (_, index) => `fake(${index} as never, given as unknown as Dog);`,
  );
  const root = repository({ 'packages/client/src/dogs.test.ts': `// as never\n${casts.join('\n')}\n` });

  const { problems } = await recordCasts.run(root);

  expect(problems).toEqual([expect.stringContaining('500 casts in tests')]);
});

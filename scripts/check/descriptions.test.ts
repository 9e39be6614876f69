import { expect, test } from 'vitest';
import { undescribedProperties, undocumentedMethods } from './descriptions.ts';
import { repository } from './fixture.ts';

test('a property or parameter without a sentence is named by its path', () => {
  const document = {
    paths: { '/dogs': { get: { parameters: [{ name: 'age' }, { name: 'id', description: 'The id.' }] } } },
    Dog: {
      type: 'object',
      properties: {
        name: { description: 'The name.' },
        type: { type: 'string', description: 'no sentence' },
      },
    },
  };

  expect(undescribedProperties(document)).toEqual(['/paths//dogs/get/age', '/Dog/type']);
});

test('an exported function and a method of what it makes need a comment, wherever they are declared', () => {
  const root = repository({
    'packages/dogs/package.json': '{ "exports": { ".": "./src/index.ts", "./look.css": "./src/look.css" } }',
    'packages/dogs/tsconfig.json':
      '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["src"] }',
    'packages/dogs/src/index.ts': `import { bark } from './bark';
export { howl } from './bark';
/** Makes a dog. */
export const createDog = () => ({
  bark,
  /** Sits down. */
  sit: () => 1,
  tail: { wag: () => 2 },
  /** roll() */
  roll: () => 6,
});
export const IconDog = () => 3;
`,
    'packages/dogs/src/bark.ts':
      'export const bark = () => 4;\n/** Howls. */\nexport const howl = () => 5;\n',
  });

  expect(undocumentedMethods(root, ['dogs'])).toEqual({
    count: 6,
    bare: [
      '@parley/dogs createDog().bark',
      '@parley/dogs createDog().tail.wag',
      '@parley/dogs createDog().roll',
    ],
  });
});

test('the methods of what a hook or another method returns need a comment too, also in a promise and where they may be missing', () => {
  const root = repository({
    'packages/dogs/package.json': '{ "exports": { ".": "./src/index.ts" } }',
    'packages/dogs/tsconfig.json':
      '{ "compilerOptions": { "strict": true, "target": "esnext", "types": [] }, "include": ["src"] }',
    'packages/dogs/src/index.ts': `type Handle = { close: () => void; age: number; bite?: (() => void) | undefined };
/** Reads a dog. */
export const useDog = (): { feed: () => void; name: string } => ({ feed: () => {}, name: 'Rex' });
/** The dogs. */
export const dogs = {
  /** Opens one, if it is there. */
  open: async (): Promise<Handle | undefined> => undefined,
};
`,
  });

  expect(undocumentedMethods(root, ['dogs'])).toEqual({
    count: 5,
    bare: ['@parley/dogs useDog().feed', '@parley/dogs dogs.open().close', '@parley/dogs dogs.open().bite'],
  });
});

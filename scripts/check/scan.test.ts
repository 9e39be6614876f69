import { expect, test } from 'vitest';
import { importsOf, withoutComments } from './scan.ts';

const cases: [code: string, specifier: string, typeOnly: boolean][] = [
  [`import { a } from './a.ts';`, './a.ts', false],
  [`import a, { type B } from './a.ts';`, './a.ts', false],
  [`import './a.css';`, './a.css', false],
  [`import type { A } from './a.ts';`, './a.ts', true],
  [`import { type A, type B } from './a.ts';`, './a.ts', true],
  [`export { a } from './a.ts';`, './a.ts', false],
  [`export type { A } from './a.ts';`, './a.ts', true],
  [`export * as a from './a.ts';`, './a.ts', false],
  [`const a = await import('./a.ts');`, './a.ts', false],
  [`let a: import('./a.ts').A;`, './a.ts', true],
];

test.each(cases)('finds %s', (code, specifier, typeOnly) => {
  expect(importsOf('x.ts', code)).toEqual([{ specifier, typeOnly, line: 1 }]);
});

test('a module whose names are imported and exported apart is named once', () => {
  const code = `export { b };\nimport { type A, b } from './a.ts';\nexport type { A };`;

  expect(importsOf('x.ts', code)).toEqual([{ specifier: './a.ts', typeOnly: false, line: 2 }]);
});

test('imports in the declaration of a module are found', () => {
  const code = `declare module 'x' {\n  import type { A } from './a.ts';\n}`;

  expect(importsOf('x.d.ts', code)).toEqual([{ specifier: './a.ts', typeOnly: true, line: 2 }]);
});

test('a file that has changed is read again', () => {
  importsOf('changed.ts', `import './a.ts'; // one`);

  expect(importsOf('changed.ts', `import './b.ts';`).map(({ specifier }) => specifier)).toEqual(['./b.ts']);
  expect(withoutComments('changed.ts', '1 // two').trim()).toBe('1');
});

test('imports in comments, strings and templates are not imports', () => {
  const code = [
    `// import './a.ts'`,
    `/* export { b } from './b.ts' */`,
    `const text = "import './c.ts'";`,
    'const template = `import("./d.ts")`;',
    `export const local = 1;`,
  ].join('\n');

  expect(importsOf('x.ts', code)).toEqual([]);
});

test('names the line of an import over several lines', () => {
  const code = `\nimport {\n  a,\n} from './a.ts';\nimport { b } from './b.ts';`;

  expect(importsOf('x.tsx', code).map((found) => found.line)).toEqual([2, 5]);
});

test('a file that does not parse is named', () => {
  expect(() => importsOf('broken.ts', 'const = 1')).toThrow(/broken\.ts does not parse/);
});

test('comments become blank, what only looks like one stays', () => {
  expect(withoutComments('x.ts', `const url = 'http://x'; // gone`).trim()).toBe(`const url = 'http://x';`);
  expect(withoutComments('x.tsx', 'const a = <p>/* stays */</p>;')).toContain('/* stays */');
  expect(withoutComments('x.css', 'a { /* gone\n */ color: red }').split('\n')).toHaveLength(2);
});

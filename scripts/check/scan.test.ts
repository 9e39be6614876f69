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

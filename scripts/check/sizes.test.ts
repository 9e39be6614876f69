import { expect, test } from 'vitest';
import { repository } from './fixture.ts';
import { codeLines, longFunctions, sizes } from './sizes.ts';

const lines = (count: number): string => 'call();\n'.repeat(count);

test('blank lines and comments are not code, a line with both is', () => {
  const code = [
    '/**',
    ' * Doc.',
    ' */',
    '',
    'const a = 1; // why',
    '// alone',
    'const b = `',
    '',
    '// text`;',
  ].join('\n');

  expect(codeLines('x.ts', code)).toBe(3);
});

test('style sheets count alike', () => {
  expect(codeLines('x.css', '/* one\n two */\na {\n  color: red;\n}\n\n')).toBe(3);
});

test('the 301st line is too many; tests, migrations and demo conversations are free', async () => {
  const root = repository({
    'packages/server/src/full.ts': lines(300),
    'packages/server/src/long.ts': lines(301),
    'packages/server/src/long.test.ts': lines(301),
    'packages/server/src/migrations/one.ts': lines(301),
    'packages/server/src/demo/conversations/one.ts': lines(301),
    'tests/bench/run.ts': lines(301),
  });

  const { problems } = await sizes.run(root);

  expect(problems).toEqual(['packages/server/src/long.ts has 301 code lines, more than 300']);
});

const bodies: [name: string, code: string][] = [
  ['statements', `function f() {\n${lines(61)}}`],
  ['a method', `class A {\n  m() {\n${lines(61)}}\n}`],
  ['JSX', `const C = () => {\n  return <p>\n${'<i>a</i>\n'.repeat(59)}</p>;\n};`],
  ['a template', `const f = () => \`${'x\n'.repeat(60)}x\`;`],
];

test.each(bodies)('a function with 61 lines of %s is too long', (_name, code) => {
  expect(longFunctions('x.tsx', code)).toEqual([expect.objectContaining({ lines: 61 })]);
});

test('a function of 60 code lines is not, whatever its comments', () => {
  expect(longFunctions('x.ts', `function f() {\n// why\n\n${lines(60)}}`)).toEqual([]);
});

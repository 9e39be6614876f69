import { expect, test } from 'vitest';
import { repository } from './fixture.ts';
import { hasTestFor, readStatus, ruleIds, status, statusProblems, titleProblems } from './status.ts';

const only = (state: string, shownBy: string, files: Record<string, string> = {}): string[] =>
  statusProblems(repository(files), [{ id: 'C1', state, shownBy }]).filter(
    (problem) => !problem.endsWith('listed'),
  );

const shown = { 'tests/sync/a.test.ts': `test('C1 connects', () => {});` };

test('reads rows of several tables, columns by their header', () => {
  const text = `# Status\n\n| id | promise | state | shown by |\n|---|---|---|---|\n| C1 | connect | open | |\n
text\n\n| id | state | shown by |\n|:--|---|---|\n| W4 | done | a.test.ts |\n`;

  expect(readStatus(text)).toEqual([
    { id: 'C1', state: 'open', shownBy: '' },
    { id: 'W4', state: 'done', shownBy: 'a.test.ts' },
  ]);
});

test('a title counts only where the id is its first word and the test runs', () => {
  expect(hasTestFor('C1', `test('C1 connects')`)).toBe(true);
  expect(hasTestFor('C1', 'describe(\n  `C1: connect`')).toBe(true);
  expect(hasTestFor('C1', `test.each([1])('C1 connects %s')`)).toBe(true);
  expect(hasTestFor('C1', `test.describe.serial('C1 connects')`)).toBe(true);
  expect(hasTestFor('C1', `test('C12 cache')`)).toBe(false);
  expect(hasTestFor('C1', `test('not C1')`)).toBe(false);
  expect(hasTestFor('C1', `test.skip('C1 connects')`)).toBe(false);
});

test('a done row with its test passes', () => {
  expect(only('done', '`tests/sync/a.test.ts`', shown)).toEqual([]);
});

test('a partly row says what is missing', () => {
  expect(only('partly', 'tests/sync/a.test.ts', shown)).toEqual([expect.stringMatching(/say "missing/)]);
  expect(only('partly', 'tests/sync/a.test.ts; missing: guests', shown)).toEqual([]);
});

const refused: [state: string, shownBy: string, problem: RegExp][] = [
  ['nearly', '', /state "nearly"/],
  ['done', '', /names no test file/],
  ['done', 'tests/b.test.ts', /does not exist/],
  ['done', 'tests/commented.test.ts', /no test whose title begins with C1/],
];

test.each(refused)('%s shown by "%s" is refused', (state, shownBy, problem) => {
  const files = { 'tests/commented.test.ts': `// test('C1 connects')` };

  expect(only(state, shownBy, files)).toEqual([expect.stringMatching(problem)]);
});

test('every row is listed once, and no other', () => {
  const row = { state: 'open', shownBy: '' };
  const problems = statusProblems('', [
    { id: 'C1', ...row },
    { id: 'C1', ...row },
    { id: 'X1', ...row },
  ]);

  expect(problems).toContain('C2 is not listed');
  expect(problems).toContain('C1 is listed twice');
  expect(problems).toContain('X1 is not a row of the product');
});

test('the numbers of rules are read from their page', () => {
  expect(ruleIds('- **P1** The base URL\n- **S27** A log (S1)\n- **Actor**: the caller')).toEqual([
    'P1',
    'S27',
  ]);
});

test('a title that begins with an id of no row and no rule is refused', () => {
  const [unknown, other] = ['Z9', 'V8'];
  const code = `test('C1 connects'); testLaw('S7 leaves', {}); test.each([1])('${unknown} %s'); test('${other} runs');`;

  expect(titleProblems('a.test.ts', code, new Set(['C1', 'S7']))).toEqual([
    expect.stringContaining('Z9'),
    expect.stringContaining('V8'),
  ]);
});

test('a title of a row that is open is refused', async () => {
  const open = 'W3';
  const row = (id: string, state: string) => `| ${id} | promise | ${state} | tests/a.test.ts |`;
  const root = repository({
    'docs/status.md': ['| id | promise | state | shown by |', row('C1', 'done'), row(open, 'open')].join(
      '\n',
    ),
    'tests/a.test.ts': `test('C1 connects'); test('${open} reads offline');`,
  });

  const { problems } = await status.run(root);

  expect(problems.filter((problem) => problem.startsWith('tests/'))).toEqual([expect.stringContaining(open)]);
});

import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText, readTextIfAny } from './source-files.ts';

const areas: [letter: string, rows: number][] = [
  ['C', 12],
  ['M', 14],
  ['A', 4],
  ['P', 5],
  ['G', 10],
  ['W', 4],
];
const rowIds = areas.flatMap(([letter, rows]) => Array.from({ length: rows }, (_, i) => `${letter}${i + 1}`));
const states = ['done', 'partly', 'open'];

export type StatusRow = { id: string; state: string; shownBy: string };

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());

/** Rows of every table whose header names the columns id, state and shown by, in any order. */
export const readStatus = (text: string): StatusRow[] => {
  const rows: StatusRow[] = [];
  let header: string[] = [];
  for (const line of text.split('\n')) {
    if (!line.trim().startsWith('|')) {
      header = [];
      continue;
    }
    const cells = cellsOf(line);
    if (header.length === 0) header = cells;
    const cell = (name: string): string => cells[header.indexOf(name)] ?? '';
    const isRow = header !== cells && header.includes('id') && !/^:?-+:?$/.test(cells[0] ?? '');
    if (isRow) rows.push({ id: cell('id'), state: cell('state'), shownBy: cell('shown by') });
  }
  return rows;
};

const testFilesIn = (cell: string): string[] => cell.match(/[\w./-]+\.(?:test|spec)\.tsx?/g) ?? [];

/** A title of test, it or describe begins with the id; `test.each(…)('C1 …')` counts, a skipped test does not. */
export const hasTestFor = (id: string, code: string): boolean =>
  new RegExp(
    `(?:\\b(?:test|it|describe)(?:\\.(?:concurrent|describe|serial))*\\(|\\)\\()\\s*['"\`]${id}\\b`,
  ).test(code);

const fileProblem = (root: string, row: StatusRow, path: string): string[] => {
  const text = readTextIfAny(root, path);
  if (text === undefined) return [`${row.id}: ${path} does not exist`];
  return hasTestFor(row.id, withoutComments(path, text))
    ? []
    : [`${row.id}: ${path} has no test whose title begins with ${row.id}`];
};

const rowProblems = (root: string, row: StatusRow): string[] => {
  if (!rowIds.includes(row.id)) return [`${row.id} is not a row of the product`];
  if (!states.includes(row.state)) return [`${row.id}: state "${row.state}" is none of ${states.join(', ')}`];
  if (row.state === 'open') return [];
  const files = testFilesIn(row.shownBy);
  const missing = /\bmissing:\s*\S/.test(row.shownBy);
  return [
    ...(files.length === 0 ? [`${row.id} is ${row.state} but names no test file`] : []),
    ...(row.state === 'partly' && !missing ? [`${row.id} is partly: say "missing: …" in shown by`] : []),
    ...files.flatMap((path) => fileProblem(root, row, path)),
  ];
};

export const statusProblems = (root: string, rows: StatusRow[]): string[] => {
  const times = (id: string): number => rows.filter((row) => row.id === id).length;
  return [
    ...rowIds.filter((id) => times(id) === 0).map((id) => `${id} is not listed`),
    ...rowIds.filter((id) => times(id) > 1).map((id) => `${id} is listed twice`),
    ...rows.flatMap((row) => rowProblems(root, row)),
  ];
};

/** The rules that a page numbers: `- **P12** …`. */
export const ruleIds = (page: string): string[] =>
  [...page.matchAll(/^- \*\*([PS]\d+)\*\*/gm)].map(([, id = '']) => id);

/** A title that begins with an id names a row that is shown, or a rule: nobody finds the test of an unknown one. */
export const titleProblems = (path: string, code: string, ids: ReadonlySet<string>): string[] => {
  const titles = code.matchAll(/(?:\b(?:test|it|describe|testLaw)(?:\.\w+)*\(|\)\()\s*['"`]([A-Z]\d+)\b/g);
  return [...new Set([...titles].map(([, id = '']) => id))]
    .filter((id) => !ids.has(id))
    .map((id) => `${path} has a title that begins with ${id}, which is no row that is shown and no rule`);
};

const allTitleProblems = (root: string, rows: StatusRow[]): string[] => {
  const rules = ['docs/protocol.md', 'docs/sync.md'].flatMap((page) =>
    ruleIds(readTextIfAny(root, page) ?? ''),
  );
  const shown = rows.filter(({ state }) => state !== 'open').map(({ id }) => id);
  const ids = new Set([...shown, ...rules]);
  return listFiles(root, ['.test.ts', '.test.tsx', '.spec.ts'])
    .filter((path) => isTestFile(path))
    .flatMap((path) => titleProblems(path, withoutComments(path, readText(root, path)), ids));
};

export const status: Check = {
  name: 'status',
  run: async (root) => {
    const text = readTextIfAny(root, 'docs/status.md');
    if (text === undefined) return { problems: ['docs/status.md is missing'] };
    const rows = readStatus(text);
    const count = (state: string): string => `${rows.filter((row) => row.state === state).length} ${state}`;
    const problems = [...statusProblems(root, rows), ...allTitleProblems(root, rows)];
    return { problems, note: states.map(count).join(', ') };
  },
};

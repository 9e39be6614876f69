import type { Check } from './outcome.ts';
import { type Node, syntaxTree, visit, withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const maxFileLines = 300;
const maxFunctionLines = 60;
const maxExceptions = 10;

/** Files that may be longer, each with its reason. */
const exceptions: Record<string, string> = {};

const isExempt = (path: string): boolean =>
  isTestFile(path) || path.includes('demo/conversations') || path.includes('/migrations/');

const filledLines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;

/** Lines that hold code: blank lines and comments do not count. */
export const codeLines = (path: string, text: string): number => filledLines(withoutComments(path, text));

const bodyLines = (code: string, body: Node): number =>
  filledLines(
    body.type === 'BlockStatement'
      ? code.slice(body.start + 1, body.end - 1)
      : code.slice(body.start, body.end),
  );

/** The line and length of each function whose body is too long. Biome counts as well, but not JSX and templates. */
export const longFunctions = (path: string, text: string): { line: number; lines: number }[] => {
  const code = withoutComments(path, text);
  // A function is no longer than its file, whose tree need not be built.
  if (filledLines(code) <= maxFunctionLines) return [];
  const found: { line: number; lines: number }[] = [];
  visit(syntaxTree(path, text), (node) => {
    const isFunction = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type);
    const lines = isFunction && node.body ? bodyLines(code, node.body as Node) : 0;
    if (lines > maxFunctionLines) found.push({ line: code.slice(0, node.start).split('\n').length, lines });
    return true;
  });
  return found;
};

const functionProblems = (path: string, text: string): string[] =>
  path.endsWith('.css')
    ? []
    : longFunctions(path, text).map(
        ({ line, lines }) =>
          `${path}:${line} a function of ${lines} code lines, more than ${maxFunctionLines}`,
      );

const fileProblems = (counts: { path: string; lines: number }[]): string[] => {
  const long = counts.filter(({ lines }) => lines > maxFileLines);
  const excepted = Object.keys(exceptions);
  return [
    ...long
      .filter(({ path }) => !excepted.includes(path))
      .map(({ path, lines }) => `${path} has ${lines} code lines, more than ${maxFileLines}`),
    ...excepted
      .filter((path) => !long.some((file) => file.path === path))
      .map((path) => `${path} needs no exception any more`),
    ...(excepted.length > maxExceptions ? ['the exception list is too long'] : []),
  ];
};

const quantile = (sorted: number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;

export const sizes: Check = {
  name: 'sizes',
  run: async (root) => {
    const files = listFiles(root, ['.ts', '.tsx', '.mjs', '.css'])
      .filter((path) => !isExempt(path))
      .map((path) => ({ path, text: readText(root, path) }));
    const counts = files.map(({ path, text }) => ({ path, lines: codeLines(path, text) }));
    const sorted = counts.map(({ lines }) => lines).sort((a, b) => a - b);
    return {
      problems: [...fileProblems(counts), ...files.flatMap(({ path, text }) => functionProblems(path, text))],
      note: `files: median ${quantile(sorted, 0.5)}, p90 ${quantile(sorted, 0.9)}, longest ${sorted.at(-1) ?? 0}`,
    };
  },
};

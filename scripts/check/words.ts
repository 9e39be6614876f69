import type { Check } from './outcome.ts';
import { type Comment, commentsOf, syntaxTree, visit } from './scan.ts';
import { listFiles, readText } from './source-files.ts';

/** The folders that are held to the glossary of CONTRIBUTING.md. */
const folders = ['apps/', 'packages/', 'scripts/', 'tests/'];

const withoutSubject = /^(?:what|which|who|whoever|whom|whose)\b(?!.*\?)/i;
/** Words that mean several things or nothing in particular: the glossary has the ones to use. */
const unclearWords =
  'tells?|told|untold|tellers?|telling|keepers?|comings|heeds?|deaf|asides|condemn(?:s|ed)?|(?:un)?hears?|heard|ears|makers?';
const unclear = new RegExp(`\\b(?:${unclearWords})\\b`, 'i');

/** Names that stay: a table and a column of the database (docs/decisions.md). */
const keptNames = new Set(['untold', 'poll_untold']);
/** The keys of this file are the names of emojis. */
const dataFile = /\/emoji-names\.ts$/;

/** The titles of tests, without the row or rule at their head. */
const titles =
  /(?:\b(?:test|it|describe|testLaw)(?:\.\w+)*\(|\)\()\s*(['"`])(?:(?:[A-Z]\d+|protocol \d+) )?(.*?)\1/g;

const problemIn = (text: string): string | undefined => {
  const start = withoutSubject.exec(text)?.[0];
  if (start !== undefined) return `begins with "${start}": give it a subject`;
  const word = unclear.exec(text)?.[0];
  return word === undefined ? undefined : `says "${word}": use a word of the glossary in CONTRIBUTING.md`;
};

/** `saveAndPublish` as "save And Publish". */
const wordsOf = (name: string): string => name.replace(/(?<=[a-z0-9])(?=[A-Z])|[_$#-]/g, ' ');
const isUnclearName = (name: string): boolean => !keptNames.has(name) && unclear.test(wordsOf(name));

/** The names in the code; only a file with such a word somewhere is worth its parsing. */
const nameProblems = (path: string, text: string): { line: number; problem: string | undefined }[] => {
  const names = new Map<string, number>();
  const isSuspect = /\.[mt]?[jt]sx?$/.test(path) && !dataFile.test(path) && unclear.test(wordsOf(text));
  if (isSuspect)
    visit(syntaxTree(path, text), ({ type, name, start }) => {
      const isName = /Identifier$/.test(type) && typeof name === 'string';
      if (isName && isUnclearName(name) && !names.has(name)) names.set(name, start);
      return true;
    });
  return [...names].map(([name, start]) => ({
    line: text.slice(0, start).split('\n').length,
    problem: problemIn(`is named ${wordsOf(name)}`),
  }));
};

/** Line comments below each other are one comment. */
const isContinued = (comment: Comment, all: readonly Comment[]): boolean =>
  comment.isLine && all.some(({ isLine, line }) => isLine && line === comment.line - 1);

export const wordProblems = (path: string, text: string): string[] => {
  const comments = commentsOf(path, text);
  const starts = comments.filter((comment) => !isContinued(comment, comments));
  const lineAt = (index: number): number => text.slice(0, index).split('\n').length;
  const file = path.slice(path.lastIndexOf('/') + 1);
  const found = [
    ...(isUnclearName(file) ? [{ line: 1, problem: problemIn(`is named ${wordsOf(file)}`) }] : []),
    ...nameProblems(path, text),
    ...starts.map((comment) => ({ line: comment.line, problem: problemIn(comment.text) })),
    ...comments
      .filter((comment) => !starts.includes(comment))
      .map(({ line, text: rest }) => ({
        line,
        problem: unclear.test(rest) ? problemIn(`… ${rest}`) : undefined,
      })),
    ...(/\.(test|spec)\.tsx?$/.test(path)
      ? [...text.matchAll(titles)].map(({ index, 2: title = '' }) => ({
          line: lineAt(index),
          problem: problemIn(title),
        }))
      : []),
  ];
  return found.flatMap(({ line, problem }) => (problem === undefined ? [] : [`${path}:${line} ${problem}`]));
};

/** Names, comments and titles are read by strangers: comments have a subject, and one word means one thing. */
export const words: Check = {
  name: 'words',
  run: async (root) => ({
    problems: listFiles(root, ['.ts', '.tsx', '.css', '.mjs'])
      .filter((path) => folders.some((folder) => path.startsWith(folder)))
      .flatMap((path) => wordProblems(path, readText(root, path))),
  }),
};

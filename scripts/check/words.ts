import type { Check } from './outcome.ts';
import { type Comment, commentsOf, syntaxTree, visit } from './scan.ts';
import { listFiles, listPages, readText } from './source-files.ts';

/** The folders that are held to the glossary of CONTRIBUTING.md. */
const folders = ['apps/', 'packages/', 'scripts/', 'tests/'];

const withoutSubject = /^(?:what|which|who|whoever|whom|whose)\b(?!.*\?)/i;
/** Words that mean several things or nothing in particular: the glossary has the ones to use. */
const unclearWords =
  'tells?|told|untold|tellers?|telling|keepers?|comings|heeds?|deaf|asides|condemn(?:s|ed)?|(?:un)?hears?|heard|ears|makers?';
const unclear = new RegExp(`\\b(?:${unclearWords})\\b`, 'i');

/** The words that the glossary of the interface replaces, in the texts of catalogues. */
const unclearText = /\b(?:somebody|no one|could not|failed to|retry|load more|bring back|mark unread)\b/i;

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

/** The class names of a style sheet. */
const classProblems = (path: string, text: string): { line: number; problem: string | undefined }[] =>
  path.endsWith('.css')
    ? [...text.matchAll(/\.([a-z][\w-]*)/gi)].map(({ index, 1: name = '' }) => ({
        line: text.slice(0, index).split('\n').length,
        problem: isUnclearName(name) ? problemIn(`is named ${wordsOf(name)}`) : undefined,
      }))
    : [];

/** A text that a person reads, by the words that the interface has for its things. */
const textProblems = (path: string, text: string): { line: number; problem: string | undefined }[] =>
  /texts\.ts$/.test(path)
    ? text.split('\n').map((content, index) => {
        const word = unclearText.exec(content.replace(/^\s*\w+:/, ''))?.[0];
        return {
          line: index + 1,
          problem: word && `shows "${word}": use a word of the interface in CONTRIBUTING.md`,
        };
      })
    : [];

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
    ...classProblems(path, text),
    ...textProblems(path, text),
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

/** A page of documentation, apart from its code and from the glossary, which lists the words to avoid. */
export const pageProblems = (path: string, text: string): string[] =>
  text
    .replace(/```[\s\S]*?```/g, (code) => code.replace(/[^\n]/g, ' '))
    .split('\n')
    .flatMap((line, index) => {
      const isOfGlossary =
        path === 'CONTRIBUTING.md' && (line.startsWith('|') || line.includes('the words on the right'));
      const word = isOfGlossary ? undefined : unclear.exec(line.replace(/`[^`]*`/g, ''))?.[0];
      return word === undefined ? [] : [`${path}:${index + 1} says "${word}": use a word of the glossary`];
    });

/** Names, comments, titles and pages are read by strangers: comments have a subject, and one word means one thing. */
export const words: Check = {
  name: 'words',
  run: async (root) => ({
    problems: [
      ...listFiles(root, ['.ts', '.tsx', '.css', '.mjs'])
        .filter((path) => folders.some((folder) => path.startsWith(folder)))
        .flatMap((path) => wordProblems(path, readText(root, path))),
      ...listPages(root).flatMap((path) => pageProblems(path, readText(root, path))),
    ],
  }),
};

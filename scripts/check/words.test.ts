import { expect, test } from 'vitest';
import { wordProblems } from './words.ts';

const linesOf = (path: string, text: string): string[] =>
  wordProblems(path, text).map((problem) => problem.split(' ')[0] ?? '');

test('a comment without a subject or with an unclear word is found', () => {
  const text = [
    '/** What a reader sees. */',
    '// The list of those',
    '// who are online.',
    'const a = "Who is there?"; // What now?',
    '/** Says nothing',
    ' * that was told before. */',
  ].join('\n');
  expect(linesOf('a.ts', text)).toEqual(['a.ts:1', 'a.ts:5']);
  expect(linesOf('a.css', '.a {}\n/* Who may scroll. */')).toEqual(['a.css:2']);
});

test('a title is held to the same words, after the id at its head', () => {
  const titled = (title: string): string => `test('${title}', run);`;
  const text = `${titled('G2 who left reads nothing')}\n${titled('M4 an edit is published')}`;
  expect(linesOf('a.test.ts', text)).toEqual(['a.test.ts:1']);
  expect(linesOf('a.ts', text)).toEqual([]);
});

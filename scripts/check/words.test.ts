import { expect, test } from 'vitest';
import { pageProblems, wordProblems } from './words.ts';

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
  expect(linesOf('a.ts', '/** Which of these are read. */')).toEqual(['a.ts:1']);
  expect(linesOf('a.css', '.a {}\n/* Who may scroll. */')).toEqual(['a.css:2']);
});

test('a title is held to the same words, after the id at its head', () => {
  const titled = (title: string): string => `test('${title}', run);`;
  const text = `${titled('G2 who left reads nothing')}\n${titled('M4 an edit is published')}`;
  expect(linesOf('a.test.ts', text)).toEqual(['a.test.ts:1']);
  expect(linesOf('a.ts', text)).toEqual([]);
});

test('a name with an unclear word is found once, whatever it names', () => {
  const text = [
    'const saveAndTell = () => untold;',
    "const text = 'nobody told me';",
    'saveAndTell();',
    'class Link { #unhear() {} }',
    'export const View = () => <Keeper heart={tellus} />;',
  ].join('\n');
  expect(linesOf('a.tsx', text)).toEqual(['a.tsx:1', 'a.tsx:4', 'a.tsx:5']);
  expect(linesOf('polls/keeper.ts', '')).toEqual(['polls/keeper.ts:1']);
});

test('a class of a style sheet and a text of a catalogue are held to their words', () => {
  expect(linesOf('a.module.css', '.bar {}\n.keeper:hover {}')).toEqual(['a.module.css:2']);
  const texts = ["  retry: 'Try again',", "  left: 'Somebody left',"].join('\n');
  expect(linesOf('late-texts.ts', `export const a = {\n${texts}\n};`)).toEqual(['late-texts.ts:3']);
});

test('a page is held to the words of the glossary, apart from its code and the glossary itself', () => {
  const page = [
    'The server publishes.',
    'It tells `untold`.',
    '```',
    'tell()',
    '```',
    '| notify | tell |',
  ].join('\n');
  const lines = (path: string) => pageProblems(path, page).map((problem) => problem.split(' ')[0]);
  expect(lines('docs/sync.md')).toEqual(['docs/sync.md:2', 'docs/sync.md:6']);
  expect(lines('CONTRIBUTING.md')).toEqual(['CONTRIBUTING.md:2']);
});

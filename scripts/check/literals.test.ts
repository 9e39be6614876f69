import { expect, test } from 'vitest';
import { catalogueProblems, literalsIn } from './literals.ts';

const wordsIn = (code: string): string[] => literalsIn('view.tsx', code).map(({ words }) => words);

test.each([
  ['<p>Hello there</p>', ['Hello there']],
  [`<p>{isNew ? "New" : \`Old \${name}\`}</p>`, ['New', 'Old']],
  [`<button aria-label="Close" title={\`Close \${name}\`} />`, ['Close', 'Close']],
  ['<input placeholder={hint || "Your name"} />', ['Your name']],
  ['<Menu actions={[{ id: "delete", label: "Delete" }]} />', ['Delete']],
  ['<p aria-roledescription="message" />', ['message']],
  ['show("Hello there")', ['Hello there']],
  ['isMine ? "You, and Bo" : "Hello there"', ['You, and Bo', 'Hello there']],
  ['(document.title = "Chats")', ['Chats']],
])('W1 a text that is written where it is shown is found: %s', (code, expected) => {
  expect(wordsIn(`const view = ${code};`)).toEqual(expected);
});

test.each([
  '<p>{text("hello")} · {name}</p>',
  '<button aria-label={text("close", { name })} className="main" />',
  '<span>@</span>',
  '<button>ALT</button>',
  'new TypeError("This belongs inside a provider")',
  'document.querySelector("main textarea, nav a[href]")',
  '<path d="M4 4.5h12" />',
])('W1 a literal that is no text of a language is left alone: %s', (code) => {
  expect(wordsIn(`const view = ${code};`)).toEqual([]);
});

test('W1 a catalogue that is not registered and a key of two different texts are found', () => {
  const kit = 'packages/react/src/';
  const catalogue = (path: string, feature: string, words: string) => ({
    path,
    text: `export const texts = defineTexts('${feature}', { close: 'Close', votes: '${words}' });`,
  });
  const files = [
    { path: `${kit}texts.ts`, text: "import type { pollTexts } from './features/polls/texts.ts';" },
    catalogue(`${kit}features/polls/texts.ts`, 'polls', 'Votes'),
    catalogue(`${kit}features/polls/late-texts.ts`, 'polls', 'All votes'),
    catalogue('apps/web/src/app/texts.ts', 'app', 'Some votes'),
  ];

  expect(catalogueProblems(files)).toEqual([
    expect.stringMatching(/polls\/late-texts\.ts is not in packages\/react\/src\/texts\.ts/),
    expect.stringMatching(/polls\/texts\.ts and .*late-texts\.ts have different texts for polls\.votes/),
  ]);
});

import { expect, test } from 'vitest';
import { literalsIn } from './literals.ts';

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

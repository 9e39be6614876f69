import fc from 'fast-check';
import { expect, test } from 'vitest';
import { leastTime } from '../testing/least-time.ts';
import { formattedTexts, typedTexts } from '../testing/typed-texts.ts';
import { type Block, type Inline, parseMarkdown } from './markdown.ts';
import { isMarkdown } from './markdown-marks.ts';
import { previewOf } from './preview.ts';

const inline = (node: Inline): string => {
  if (typeof node === 'string') return node;
  if (node.kind === 'code') return `<code>${node.text}</code>`;
  const children = node.children.map(inline).join('');
  return node.kind === 'link'
    ? `<a ${node.href}>${children}</a>`
    : `<${node.kind}>${children}</${node.kind}>`;
};
const draw = (blocks: readonly Block[]): string => blocks.map(drawOne).join('|');
const drawOne = (block: Block): string => {
  if (block.kind === 'text') return block.children.map(inline).join('');
  if (block.kind === 'code') return `<pre ${block.language}>${block.text}</pre>`;
  if (block.kind === 'quote') return `<q>${draw(block.blocks)}</q>`;
  const tag = block.start === undefined ? 'ul' : `ol ${block.start}${block.sign}`;
  return `<${tag}>${block.items.map((item) => `<li>${draw(item)}</li>`).join('')}</>`;
};

test.each([
  ['plain words', 'plain words'],
  ['**bold** and *thin* and ~~gone~~', '<strong>bold</strong> and <em>thin</em> and <del>gone</del>'],
  ['***both***', '<strong><em>both</em></strong>'],
  ['__a__ _b_', '<strong>a</strong> <em>b</em>'],
  ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
  ['**open *inside** out', '<strong>open *inside</strong> out'],
  ['a `code *not thin*` b', 'a <code>code *not thin*</code> b'],
  ['``a ` b`` and ` alone', '<code>a ` b</code> and ` alone'],
  ['\\*not thin\\*', '*not thin*'],
  ['[a *b*](https://x.org/)', '<a https://x.org/>a <em>b</em></a>'],
  ['[w](https://x.org/a_(b))', '<a https://x.org/a_(b)>w</a>'],
  ['[x](javascript:alert(1)) [y](data:text/html,z)', '[x](javascript:alert(1)) [y](data:text/html,z)'],
  ['[a [b](https://x.org/) c](https://y.org/)', '[a <a https://x.org/>b</a> c](https://y.org/)'],
  ['https://x.org/a_b_c*', 'https://x.org/a_b_c*'],
  ['<img src=x onerror=alert(1)>', '<img src=x onerror=alert(1)>'],
  ['one\n\ntwo\nthree', 'one|two\nthree'],
  ['```ts\nlet a = "*";\n```\nafter', '<pre ts>let a = "*";</pre>|after'],
  ['```\nnever closed', '<pre >never closed</pre>'],
  ['```\nclosed at the end```\nafter', '<pre >closed at the end</pre>|after'],
  ['```words that name no language\nb\n```', '<pre >words that name no language\nb</pre>'],
  ['```a', '```a'],
  ['```ts\n```', '<code>ts\n</code>'],
  ['> said\n> **so**\nme', '<q>said\n<strong>so</strong></q>|me'],
  ['> > twice', '<q><q>twice</q></q>'],
  ['- a\n- b\n  - c\nend', '<ul><li>a</li><li>b|<ul><li>c</li></></li></>|end'],
  ['3. a\n4. b', '<ol 3.><li>a</li><li>b</li></>'],
  ['- a\n1. b', '<ul><li>a</li></>|<ol 1.><li>b</li></>'],
])('%j is %j', (text, expected) => {
  expect(draw(parseMarkdown(text))).toBe(expected);
});

const inOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

test.each(typedTexts)('M2 %j appears as it was typed, in the message and in previews', (text) => {
  expect(draw(parseMarkdown(text))).toBe(text);
  expect(previewOf(text)).toBe(inOneLine(text));
});

test.each(typedTexts.filter((text) => !text.includes('\n')))(
  'M2 %j appears as it was typed in the middle of a sentence and on a line of its own',
  (text) => {
    expect(inOneLine(draw(parseMarkdown(`well, ${text} it is`)))).toBe(inOneLine(`well, ${text} it is`));
    expect(draw(parseMarkdown(`well\n${text}\nso`))).toBe(`well\n${text}\nso`);
  },
);

test.each(formattedTexts)('M2 %j is drawn as %j, and previewed as %j', (text, drawn, preview) => {
  expect(draw(parseMarkdown(text))).toBe(drawn);
  expect(previewOf(text)).toBe(preview);
});

test('M2 the tables hold at least 60 texts as typed and 40 with formats, each once', () => {
  expect(new Set(typedTexts).size).toBe(typedTexts.length);
  expect(typedTexts.length).toBeGreaterThanOrEqual(60);
  expect(formattedTexts.length).toBeGreaterThanOrEqual(40);
});

test('a text without marks is not parsed at all', () => {
  expect(['hello', 'a - b', 'well, 3.5 > 2'].map(isMarkdown)).toEqual([false, false, false]);
  expect(['*a*', '`a`', '- a', 'x\n> y', '1. a', '[a](b)'].every(isMarkdown)).toBe(true);
});

/** The language of a block is written over it. */
const shownOf = (text: string): string =>
  draw(parseMarkdown(text))
    .replace(/<pre ([^>]*)>/g, '$1')
    .replace(/<[^>]*>/g, '');
const lettersOf = (text: string) => text.replace(/[^a-z]/g, '');

test('whatever is written, every letter is still shown', () => {
  const bits = fc.constantFrom(
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
    '```',
    '[',
    '](',
    ')',
    '> ',
    '- ',
    '\n',
    ' ',
    '\\',
    'a',
    'b',
  );
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 60 }), (parts) => {
      const text = parts.join('');
      expect(lettersOf(shownOf(text))).toBe(lettersOf(text));
    }),
    { numRuns: 2000 },
  );
});

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((part) => depthOf(part)))
    : 0;

test.each([
  '*',
  '**a ',
  '*a **b ',
  '_a',
  '~~',
  '~~a ',
  '`',
  '`a',
  '[',
  ']',
  '[](',
  '](',
  '[a](',
  '![',
  '\\',
  '>',
  '> ',
  '- ',
  '  - ',
  '*a* ',
  ' ',
  '` ',
  '``` x ',
  '- \n ',
  'https://',
  'h',
  '`a``b```c',
  '[[a](b',
  '((',
  '1. ',
  '\n',
  '> \n',
  '```\n',
  'a'.repeat(500),
])('20 000 characters of %j take little time and stay shallow', (bit) => {
  const text = bit.repeat(Math.ceil(20_000 / bit.length)).slice(0, 20_000);

  expect(leastTime(() => parseMarkdown(text), 250)).toBeLessThan(250);
  expect(depthOf(parseMarkdown(text))).toBeLessThan(120);
});

test.each(['- a\n', '```', '` ', 'a`', '> ', '\n'])('a long blank after %j takes no time', (head) => {
  const text = `${head}${' '.repeat(20_000)}x!\n${'\n'.repeat(10_000)}`;

  const read = () => {
    isMarkdown(text);
    parseMarkdown(text);
  };

  expect(leastTime(read, 250)).toBeLessThan(250);
});

test('ten times the text takes about ten times as long, not a hundred', () => {
  for (const bit of ['*a **b ', '`a``b ', '[a](b ', '> - *a']) {
    const timeOf = (times: number, enough: number) =>
      leastTime(() => parseMarkdown(bit.repeat(times)), enough);
    const enough = Math.max(timeOf(2000, 0), 2) * 40;
    expect(timeOf(20_000, enough), bit).toBeLessThan(enough);
  }
});

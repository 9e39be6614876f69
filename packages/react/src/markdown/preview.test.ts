import { expect, test } from 'vitest';
import { leastTime } from '../testing/least-time.ts';
import { isMarkdown } from './markdown-marks.ts';
import { previewOf } from './preview.ts';

test.each([
  ['plain words', 'plain words'],
  ['**bold** and _soft_ and ~~gone~~ and `code`', 'bold and soft and gone and code'],
  ['> said before\nand now', 'said before and now'],
  ['- one\n- two', 'one two'],
  ['```ts\nconst a = 1;\n```', 'const a = 1;'],
  ['[the plan](https://example.com/p)', 'the plan'],
  ['2 * 3 * 4 and snake_case_name', '2 * 3 * 4 and snake_case_name'],
  ['**', '**'],
  ['', ''],
])('a preview of %j', (text, preview) => {
  expect(previewOf(text)).toBe(preview);
});

test('a long row of marks takes no time', () => {
  expect(leastTime(() => previewOf('*_`~['.repeat(4000)), 200)).toBeLessThan(200);
});

test('plain words are no Markdown', () => {
  expect(isMarkdown('plain words, 3 of them.')).toBe(false);
});

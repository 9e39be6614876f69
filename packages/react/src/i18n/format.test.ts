import { expect, test } from 'vitest';
import { commonTexts } from './common-texts.ts';
import { createFormat } from './format.ts';
import { createTexts } from './text.ts';

const format = createFormat({
  locale: 'en-GB',
  timeZone: 'UTC',
  now: () => Date.parse('2026-03-12T10:00:00Z'),
  text: createTexts('en-GB')(commonTexts),
});

test.each([
  ['2026-03-12T08:05:00Z', 'Today', '08:05'],
  ['2026-03-11T23:59:00Z', 'Yesterday', 'Yesterday'],
  ['2026-03-09T12:00:00Z', 'Monday', 'Mon'],
  ['2026-02-01T12:00:00Z', '1 February', '1 Feb'],
  ['2024-02-01T12:00:00Z', '1 February 2024', '1/02/24'],
])('%s reads as %s, briefly %s', (at, day, short) => {
  expect(format.day(at)).toBe(day);
  expect(format.short(at)).toBe(short);
});

test('names are joined as the language does it', () => {
  expect(format.list(['Ana', 'Bo', 'Cy'])).toBe('Ana, Bo and Cy');
});

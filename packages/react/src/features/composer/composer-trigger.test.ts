import { expect, test } from 'vitest';
import { closedEmoji, triggerAt } from './composer-trigger.ts';

const at = (text: string) => triggerAt(text, text.length);

test.each([
  ['@', { kind: 'mention', query: '', start: 0 }],
  ['hi @bo', { kind: 'mention', query: 'bo', start: 3 }],
  ['hi @Bo Lin', { kind: 'mention', query: 'Bo Lin', start: 3 }],
  ['/sh', { kind: 'command', query: 'sh', start: 0 }],
  ['well :th', { kind: 'emoji', query: 'th', start: 5 }],
  ['mail@home', undefined],
  ['see /sh', undefined],
  ['/shrug so', undefined],
  ['at 10:30', undefined],
  [':t', undefined],
  ['@bo\n', undefined],
])('%j completes %j', (text, expected) => {
  expect(at(text)).toEqual(expected);
});

test('only the text before the caret counts, and a long text is not read from its beginning', () => {
  expect(triggerAt('@bo and more', 3)).toEqual({ kind: 'mention', query: 'bo', start: 0 });
  expect(at(`${'x '.repeat(10_000)}@bo`)).toEqual({ kind: 'mention', query: 'bo', start: 20_000 });
});

test('a closed :name: is found, a time of day is not', () => {
  expect(closedEmoji('so :tada:', 9)).toEqual({ name: 'tada', start: 3 });
  expect(closedEmoji('10:30:', 6)).toBeUndefined();
});

import type { Message } from '@parley/client';
import { expect, test } from 'vitest';
import { createTexts } from '../../../i18n/text.ts';
import { messageTexts } from '../texts.ts';
import { announcement } from './announcement.ts';

const text = createTexts('en')(messageTexts);
const list = (names: readonly string[]) => names.join(' and ');
const said = (name: string, words: string) => ({ user: { id: name, name }, text: words }) as Message;

test.each([
  ['nothing', [], ''],
  ['one', [said('Bo', 'hello')], 'Bo: hello'],
  ['two of one', [said('Bo', 'a'), said('Bo', 'b')], '2 new messages from Bo'],
  ['two of two', [said('Bo', 'a'), said('Ana', 'b')], '2 new messages from Bo and Ana'],
])('%s', (_, messages, expected) => {
  expect(announcement(messages, { text, list, words: (message) => message.text })).toBe(expected);
});

test('M4 the same words twice are two announcements', () => {
  const announce = (last: string) =>
    announcement([said('Ana', 'ok')], { text, list, words: (message) => message.text, last });
  const second = announce('Ana: ok');

  expect(announce('')).toBe('Ana: ok');
  expect([second === 'Ana: ok', second.trim()]).toEqual([false, 'Ana: ok']);
  expect(announce(second)).toBe('Ana: ok');
});

import { expect, test } from 'vitest';
import { linked, markOf, wrap } from './composer-format.ts';

const none = { code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test('Ctrl or Cmd with B, I, E are signs; with Alt or without they are letters', () => {
  expect(markOf({ ...none, key: 'b', ctrlKey: true })).toBe('**');
  expect(markOf({ ...none, key: 'I', metaKey: true })).toBe('_');
  expect(markOf({ ...none, key: 'e', ctrlKey: true })).toBe('`');
  expect(markOf({ ...none, key: 'b' })).toBeUndefined();
  expect(markOf({ ...none, key: 'e', ctrlKey: true, altKey: true })).toBeUndefined();
});

test('W2 a keyboard of another script has the signs on the same keys; on a Latin one the letter counts', () => {
  expect(markOf({ ...none, key: 'и', code: 'KeyB', ctrlKey: true })).toBe('**');
  expect(markOf({ ...none, key: 'x', code: 'KeyB', ctrlKey: true })).toBeUndefined();
});

test('wraps the selection, keeps it selected, and unwraps it again', () => {
  const once = wrap({ text: 'so good', start: 3, end: 7 }, '**');

  expect(once).toEqual({ text: 'so **good**', start: 5, end: 9 });
  expect(wrap(once, '**')).toEqual({ text: 'so good', start: 3, end: 7 });
  expect(wrap({ text: '', start: 0, end: 0 }, '_')).toEqual({ text: '__', start: 1, end: 1 });
});

test('an address over words makes a link; over nothing, or over an address, it does not', () => {
  expect(linked({ text: 'read this', start: 5, end: 9 }, 'https://x.org/a ')?.text).toBe(
    'read [this](https://x.org/a)',
  );
  expect(linked({ text: 'read', start: 4, end: 4 }, 'https://x.org')).toBeUndefined();
  expect(linked({ text: 'https://y.org', start: 0, end: 13 }, 'https://x.org')).toBeUndefined();
  expect(linked({ text: 'read this', start: 5, end: 9 }, 'javascript:alert(1)')).toBeUndefined();
});

import { composerIntent } from '@parley/react';
import { expect, test } from 'vitest';
import { keyNames } from './key-names.ts';
import { type Combo, type KeyPress, shortcutOf, shortcuts } from './shortcuts.ts';
import { keyTexts } from './texts.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

test('W2 every shortcut has its words on the page', () => {
  for (const id of Object.keys(shortcuts)) expect(keyTexts.english).toHaveProperty(id);
});

test.each([
  ['switcher', press('k', { ctrlKey: true })],
  ['find', press('F', { ctrlKey: true })],
  ['previous', press('ArrowUp', { altKey: true })],
  ['next', press('ArrowDown', { altKey: true })],
  ['previousUnread', press('ArrowUp', { altKey: true, shiftKey: true })],
  ['nextUnread', press('ArrowDown', { altKey: true, shiftKey: true })],
  ['firstUnread', press('∆', { code: 'KeyJ', altKey: true })],
  ['shortcuts', press('?', { shiftKey: true })],
  ['shortcuts', press('/', { ctrlKey: true })],
])('W2 the keys of %s', (id, given) => {
  expect(shortcutOf(given, false, false)).toBe(id);
});

test('W2 a letter belongs to the field in which it is typed, and every key to an input method', () => {
  expect(shortcutOf(press('?', { shiftKey: true }), true, false)).toBeUndefined();
  expect(shortcutOf(press('k', { ctrlKey: true }), true, false)).toBe('switcher');
  expect(shortcutOf(press('k', { ctrlKey: true, isComposing: true }), true, false)).toBeUndefined();
  expect(shortcutOf(press('k', { ctrlKey: true, keyCode: 229 }), true, false)).toBeUndefined();
});

test.each([
  ['switcher', press('л', { code: 'KeyK', ctrlKey: true })],
  ['find', press('ب', { code: 'KeyF', ctrlKey: true })],
  ['shortcuts', press('؟', { code: 'Slash', shiftKey: true })],
])('W2 the keys of %s on a keyboard of another script', (id, given) => {
  expect(shortcutOf(given, false, false)).toBe(id);
});

test('W2 on a Latin keyboard with other places the letter counts, not the place', () => {
  expect(shortcutOf(press('t', { code: 'KeyK', ctrlKey: true }), false, false)).toBeUndefined();
  expect(shortcutOf(press('k', { code: 'KeyV', ctrlKey: true }), false, false)).toBe('switcher');
});

test('W2 combinations of the browser and of the system are left alone', () => {
  const left = [
    press('ArrowLeft', { altKey: true }),
    press('K', { ctrlKey: true, shiftKey: true }),
    press('ArrowUp', { ctrlKey: true }),
    press('k', { ctrlKey: true, metaKey: true }),
    press('k'),
  ];
  for (const one of left) expect(shortcutOf(one, false, false)).toBeUndefined();
});

test('W2 on a Mac it is ⌘, and Ctrl is left to the system', () => {
  expect(shortcutOf(press('k', { metaKey: true }), true, true)).toBe('switcher');
  expect(shortcutOf(press('k', { ctrlKey: true }), true, true)).toBeUndefined();
  const names = (combo: Combo, isMac: boolean) => keyNames(combo, isMac, (key) => keyTexts.english[key]);
  expect(names({ key: 'ArrowUp', alt: true, shift: true }, true)).toEqual(['⌥', '⇧', '↑']);
  expect(names({ key: 'k', mod: true }, true)).toEqual(['⌘', 'K']);
  expect(names({ key: 'k', mod: true }, false)).toEqual(['Ctrl', 'K']);
  expect(names({ key: 'PageUp' }, true)).toEqual(['Page Up']);
});

test.each([
  ['send', 'send'],
  ['newLine', 'none'],
  ['editLast', 'edit-last'],
  ['close', 'cancel'],
] as const)('W2 the composer does by its key what the page says of %s', (id, intent) => {
  const [combo] = shortcuts[id].combos;
  const given = press(combo?.key ?? '', { shiftKey: combo?.shift ?? false });
  expect(composerIntent(given, { value: '' })).toBe(intent);
});

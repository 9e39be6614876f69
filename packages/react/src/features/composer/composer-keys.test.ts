import { expect, test } from 'vitest';
import { composerIntent } from './composer-keys.ts';

const bare = {
  key: 'Enter',
  shiftKey: false,
  altKey: false,
  ctrlKey: false,
  metaKey: false,
  keyCode: 13,
  isComposing: false,
};

test.each([
  ['Enter sends', {}, true, 'send'],
  ['Shift+Enter is a new line', { shiftKey: true }, true, 'none'],
  ['Enter during composition picks a word', { isComposing: true }, true, 'none'],
  ['Enter with code 229 picks a word', { keyCode: 229 }, true, 'none'],
  ['Enter is a new line where it does not send', {}, false, 'none'],
  ['Ctrl+Enter sends even there', { ctrlKey: true }, false, 'send'],
  ['Ctrl+B is a shortcut', { key: 'b', ctrlKey: true }, true, 'shortcut'],
  ['Cmd+I with capitals locked is one too', { key: 'I', metaKey: true }, true, 'shortcut'],
  ['Ctrl+Shift+I belongs to the browser', { key: 'I', ctrlKey: true, shiftKey: true }, true, 'none'],
  ['Ctrl+C belongs to the browser', { key: 'c', ctrlKey: true }, true, 'none'],
  ['B without Ctrl is a letter', { key: 'b' }, true, 'none'],
  ['Ctrl+B during composition is none', { key: 'b', ctrlKey: true, isComposing: true }, true, 'none'],
  ['Escape cancels', { key: 'Escape', keyCode: 27 }, true, 'cancel'],
] as const)('%s', (_title, change, enterSends, expected) => {
  expect(composerIntent({ ...bare, ...change }, { value: 'hello', enterSends })).toBe(expected);
});

test('arrow up edits the last message only from an empty field', () => {
  const up = { ...bare, key: 'ArrowUp', keyCode: 38 };

  expect(composerIntent(up, { value: '' })).toBe('edit-last');
  expect(composerIntent(up, { value: 'hello' })).toBe('none');
});

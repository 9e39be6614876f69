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
  ['Escape cancels', { key: 'Escape', keyCode: 27 }, true, 'cancel'],
] as const)('%s', (_title, change, enterSends, expected) => {
  expect(composerIntent({ ...bare, ...change }, { empty: false, enterSends })).toBe(expected);
});

test('arrow up edits the last message only from an empty field', () => {
  const up = { ...bare, key: 'ArrowUp', keyCode: 38 };

  expect(composerIntent(up, { empty: true, enterSends: true })).toBe('edit-last');
  expect(composerIntent(up, { empty: false, enterSends: true })).toBe('none');
});

import { expect, test } from 'vitest';
import { createTexts } from '../../../i18n/text.ts';
import { messageTexts } from '../texts.ts';
import { messageActions } from './message-actions.tsx';

const text = createTexts('en')(messageTexts);
const act = () => {};

test('M4 the menu of a message groups similar actions, and deleting comes last', () => {
  const further = { id: 'info', label: 'Message info', onSelect: act };
  const handlers = { onReply: act, onReplyInThread: act, onPin: act, onPinUntil: act, onDelete: act };

  const actions = messageActions({ ...handlers, onEdit: act }, text, [further]);

  expect(actions.map(({ id }) => id)).toEqual([
    'reply',
    'thread',
    'edit',
    'pin',
    'pin-until',
    'info',
    'delete',
  ]);
  expect(actions.filter(({ danger }) => danger).map(({ id }) => id)).toEqual(['delete']);
});

test('M4 actions that the reader may not take are not offered', () => {
  expect(messageActions({ onCopy: act, isPinned: true }, text).map(({ id }) => id)).toEqual(['copy']);
});

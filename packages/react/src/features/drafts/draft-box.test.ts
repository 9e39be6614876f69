import type { VisibleMessage } from '@parley/client';
import { expect, test } from 'vitest';
import {
  backToEdit,
  beginEdit,
  createDraftBox,
  draftKey,
  emptyDraft,
  endEdit,
  withQuote,
  withText,
} from './draft-box.ts';

const message = { id: 'm1', cid: 'team:a', text: 'as it was' } as VisibleMessage;

test('an edit keeps the draft and gives it back', () => {
  const typed = withText(emptyDraft, 'half a sent');

  const editing = withText(beginEdit(typed, message), 'as it is');

  expect(editing.editing).toBe(message);
  expect(endEdit(editing)).toEqual({ text: 'half a sent' });
});

test('editing another message keeps the draft from before the first edit', () => {
  const first = beginEdit(withText(emptyDraft, 'mine'), message);

  expect(endEdit(beginEdit(first, { ...message, id: 'm2' }))).toEqual({ text: 'mine' });
});

test('a quote ends an edit', () => {
  const draft = withQuote(beginEdit(withText(emptyDraft, 'mine'), message), message);

  expect(draft).toEqual({ text: 'mine', quote: message });
});

test('a refused edit comes back only where nothing new was written', () => {
  const lost = withText(beginEdit(emptyDraft, message), 'refused');

  expect(backToEdit(emptyDraft, lost)).toBe(lost);
  expect(backToEdit({ text: 'next' }, lost)).toEqual({ text: 'next' });
});

test('drafts of a channel and its threads are apart', () => {
  const box = createDraftBox();

  box.change(draftKey('team:a', 'm1'), (draft) => withText(draft, 'in the thread'));

  expect(box.of(draftKey('team:a')).get().text).toBe('');
  expect(box.of(draftKey('team:a', 'm1')).get().text).toBe('in the thread');
});

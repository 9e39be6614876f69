import type { Attachment } from '@parley/client';
import { expect, test } from 'vitest';
import { createDraftBox, draftKey } from '../drafts/draft-box.ts';
import { type ComposerExtra, carriedBy, createComposerExtras, editKey } from './composer-extras.ts';

const photo: Attachment = { type: 'image', image_url: '/files/photo' };
const card: Attachment = { type: 'article', og_scrape_url: 'https://example.com/' };

const extra = (attachments: Attachment[], given: Partial<ComposerExtra> = {}): ComposerExtra => ({
  attachments: () => attachments,
  refusal: () => undefined,
  isEnough: () => attachments.length > 0,
  reset: () => {},
  ...given,
});

test('A1 an extra may leave out the attachments that it owns, those that nobody owns stay', () => {
  const files = extra([], { owns: ({ image_url }) => image_url !== undefined });

  expect(carriedBy([files], [photo, card]).attachments).toEqual([card]);
  expect(carriedBy([], [photo, card]).attachments).toEqual([photo, card]);
});

test('A2 one reason to wait stops the whole message; a link preview alone is no message', () => {
  const waits = extra([], { refusal: () => 'Wait until all attachments have uploaded' });

  expect(carriedBy([extra([photo]), waits], []).refusal).toBe('Wait until all attachments have uploaded');
  expect([carriedBy([], [photo]).isEnough, carriedBy([], [card]).isEnough]).toEqual([true, false]);
});

test('A1 the attachments of an extra are saved in its draft, and not by an edit', () => {
  const drafts = createDraftBox();
  const extras = createComposerExtras(drafts);
  const key = draftKey('team:a');
  let held = [photo];
  let notify = () => {};
  const subscribe = (listener: () => void) => {
    notify = listener;
    return () => {};
  };
  extras.carry(editKey(key, 'm1'), extra([card], { owns: () => true }));
  const end = extras.carry(key, extra([], { attachments: () => held, owns: () => true, subscribe }));

  expect(drafts.of(key).get().attachments).toEqual([photo]);
  held = [];
  notify();
  expect(drafts.of(key).get().attachments).toBeUndefined();
  end();
  expect(extras.of(key).get()).toEqual([]);
});

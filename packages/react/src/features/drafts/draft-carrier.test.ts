import { createClient, type VisibleMessage } from '@parley/client';
import { drafts } from '@parley/client/drafts';
import { expect, test } from 'vitest';
import { beginEdit, createDraftBox, draftKey, endEdit, withQuote } from './draft-box.ts';
import { carryDrafts } from './draft-carrier.ts';

test('M8 a quote that was chosen before drafts are synced is saved, without a text too', () => {
  const client = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/api' });
  const box = createDraftBox();
  const quote = { id: 'm1', cid: 'team:a', text: 'quoted' } as VisibleMessage;
  box.change(draftKey('team:a'), (draft) => withQuote(draft, quote));

  const stop = carryDrafts(client, box, () => undefined);

  expect(client.feature(drafts).of('team:a').get().quote?.id).toBe('m1');
  expect(box.of(draftKey('team:a')).get().quote?.id).toBe('m1');
  stop();
});

test('S28 a quote above the composer follows its message, also beneath an edit', () => {
  const client = createClient({ apiKey: 'k', baseUrl: 'http://127.0.0.1:1/api' });
  const { events } = client.feature({ name: 'events', create: ({ events }) => ({ events }) });
  const box = createDraftBox();
  const key = draftKey('team:a');
  const created_at = '2026-01-01T00:00:00.000Z';
  const quote = {
    id: 'm1',
    cid: 'team:a',
    text: 'quoted',
    created_at,
    updated_at: created_at,
  } as VisibleMessage;
  box.change(key, (draft) => beginEdit(withQuote(draft, quote), { ...quote, id: 'm2' }));
  const stop = carryDrafts(client, box, () => undefined);
  const emit = (hard_delete: boolean) => {
    const message = { ...quote, text: '', type: 'deleted', updated_at: '2026-01-02T00:00:00.000Z' };
    events.emit({ type: 'message.deleted', cid: 'team:a', created_at, message, hard_delete } as never);
  };

  emit(false);
  expect(endEdit(box.of(key).get()).quote).toMatchObject({ id: 'm1', text: '', type: 'deleted' });
  emit(true);
  expect(endEdit(box.of(key).get())).toEqual({ text: '' });
  stop();
});

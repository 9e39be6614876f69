import { createClient, type VisibleMessage } from '@parley/client';
import { drafts } from '@parley/client/drafts';
import { expect, test } from 'vitest';
import { beginEdit, createDraftBox, draftKey, endEdit, withQuote } from './draft-box.ts';
import { carryDrafts, requote } from './draft-carrier.ts';

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
  const box = createDraftBox();
  const key = draftKey('team:a');
  const message = { id: 'm1', cid: 'team:a', text: 'as it was' } as VisibleMessage;
  box.change(key, (draft) => beginEdit(withQuote(draft, message), { ...message, id: 'm2' }));

  requote(box, (held) => ({ ...held, text: '', type: 'deleted' }));
  expect(endEdit(box.of(key).get()).quote).toMatchObject({ id: 'm1', text: '', type: 'deleted' });

  requote(box, () => undefined);
  expect(endEdit(box.of(key).get())).toEqual({ text: '' });
});

import { createClient, type VisibleMessage } from '@parley/client';
import { drafts } from '@parley/client/drafts';
import { expect, test } from 'vitest';
import { createDraftBox, draftKey, withQuote } from './draft-box.ts';
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

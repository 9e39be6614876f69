import type { Message } from '@parley/protocol';
import { expect, test } from 'vitest';
import type { ParleyClient } from '../../client.ts';
import { createChannelMedia, mediaIn, withMessage } from './channel-media.ts';

const image = { type: 'image', image_url: '/files/a/b.png' };
const file = { type: 'file', asset_url: '/files/a/b.pdf' };
const preview = { type: 'image', og_scrape_url: 'https://a.b/', image_url: 'https://a.b/c.png' };

const said = (id: string, attachments: object[], more: object = {}) =>
  ({
    id,
    type: 'regular',
    text: '',
    attachments,
    created_at: `2026-01-${id.padStart(2, '0')}T00:00:00.000Z`,
    ...more,
  }) as unknown as Message;

test('A1 a message gives its pictures, files and links each to its own list', () => {
  const message = said('1', [image, file, preview, image], { text: 'see https://a.b/' });

  expect(mediaIn(message, 'media').map(({ key }) => key)).toEqual(['1-0', '1-3']);
  expect(mediaIn(message, 'files').map(({ key }) => key)).toEqual(['1-1']);
  expect(mediaIn(message, 'links').map(({ key }) => key)).toEqual(['1-2']);
  expect(mediaIn(said('2', [], { text: 'http://x.y' }), 'links')).toHaveLength(1);
  expect(mediaIn(said('3', [image], { type: 'deleted' }), 'media')).toEqual([]);
});

test('A1 the newest is first, a change stays in its place, and what lost its picture goes', () => {
  const ids = (messages: Message[]) =>
    messages
      .reduce<ReturnType<typeof mediaIn>>((items, one) => [...withMessage(items, one, 'media')], [])
      .map(({ key }) => key);

  expect(ids([said('2', [image]), said('1', [image]), said('3', [image])])).toEqual(['3-0', '2-0', '1-0']);
  expect(ids([said('2', [image]), said('1', [image]), said('2', [image, image])])).toEqual([
    '2-0',
    '2-1',
    '1-0',
  ]);
  expect(ids([said('2', [image]), said('2', [])])).toEqual([]);
});

test('A1 pages follow each other; what fails can be asked for again; events of the channel are followed', async () => {
  const received = new Map<string, (event: unknown) => void>();
  const asked: Record<string, unknown>[] = [];
  const replies = [undefined, { ids: ['9', '8'], next: 'n' }, { ids: ['7'], next: undefined }];
  const client = {
    on: (type: string, act: (event: unknown) => void) => {
      received.set(type, act);
      return () => received.delete(type);
    },
    http: {
      call: async (_: string, { body }: { body: Record<string, unknown> }) => {
        asked.push(body);
        const reply = replies.shift();
        if (!reply) throw new Error('no');
        return { results: reply.ids.map((id) => ({ message: said(id, [image]) })), next: reply.next };
      },
    },
  } as unknown as ParleyClient;
  const media = createChannelMedia(client, 'team:x', 'media');
  const keys = () => media.get().items.map(({ key }) => key);

  await media.load();
  expect(media.get().status).toBe('failed');
  await media.load();
  await media.load();
  expect(keys()).toEqual(['9-0', '8-0', '7-0']);
  expect(asked.map(({ next }) => next)).toEqual([undefined, undefined, 'n']);
  expect(asked[0]?.filter).toEqual({ cid: 'team:x', attachment_type: { $in: ['image', 'video'] } });

  received.get('message.new')?.({ cid: 'team:x', message: said('10', [image]) });
  received.get('message.new')?.({ cid: 'team:other', message: said('11', [image]) });
  received.get('message.deleted')?.({ cid: 'team:x', message: said('8', []) });
  expect(keys()).toEqual(['10-0', '9-0', '7-0']);
  media.stop();
  expect(received.size).toBe(0);
});

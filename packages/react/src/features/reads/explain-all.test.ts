import type { Feature, FeatureCore, ParleyClient } from '@parley/client';
import { expect, test } from 'vitest';
import { createTexts } from '../../i18n/text.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { explainAll } from './explain-all.ts';

const photo = { id: 'photo', text: '', attachments: [{ type: 'image', image_url: '/files/a.png' }] };
const poll = { id: 'poll', text: '', poll: { name: 'Lunch?' } };
const unread = (id: string, text: string, reason = 'unread') => ({ id, text, reason });

/** A client whose server answers the calls by these, and with a channel and a thread that are unread. */
const clientWith = (ofMessages: (ids?: string) => Promise<unknown>) => {
  const answers: Record<string, (query?: { ids?: string }) => unknown> = {
    'POST /channels': () => ({ channels: [] }),
    'GET /channels/{type}/{id}/unread/explain': () => ({
      messages: [unread('photo', ''), unread('words', 'Hello'), unread('gone', '', 'deleted')],
    }),
    'GET /channels/{type}/{id}/messages': (query) => ofMessages(query?.ids),
    'GET /messages/{id}': () => ({ message: poll }),
  };
  const http = { call: async (key: string, given: { query?: object }) => answers[key]?.(given.query) };
  const client = {
    http,
    me: { get: () => undefined },
    channels: { state: () => ({ get: () => undefined }) },
    reads: {
      unread: async () => ({
        channels: [{ channel_id: 'team:a' }],
        threads: [{ cid: 'team:a', parent_message_id: 'poll', unread_count: 1 }],
      }),
    },
    feature: <T>({ create }: Feature<T>) => create({ client, http } as unknown as FeatureCore),
  } as unknown as ParleyClient;
  return client;
};

const textOf = createTexts('en')(attachmentTexts);

test('M10 the unread summary names the photo or poll of a message without a text', async () => {
  const asked: (string | undefined)[] = [];
  const { channels, threads } = await explainAll(
    clientWith(async (ids) => {
      asked.push(ids);
      return { messages: [photo] };
    }),
  );

  const carrier = channels[0]?.carriers.get('photo');
  expect(asked).toEqual(['photo']);
  expect(carrier && summaryOf(carrier, textOf)).toBe('📷 Photo');
  expect(threads[0] && summaryOf(threads[0].parent, textOf)).toBe('📊 Lunch?');
});

test('M10 the unread summary stands without what its messages carry, where that cannot be loaded', async () => {
  const { channels } = await explainAll(clientWith(() => Promise.reject(new Error('offline'))));

  expect(channels[0]?.carriers.size).toBe(0);
  expect(channels[0]?.messages).toHaveLength(3);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';
import { aMessage, aUser } from '../../testing/records.ts';

let server: ChatDouble;
let client: ParleyClient;
let clock: HandClock;
const reported = (): number[] =>
  server.requestsTo('/channels/delivered').map(({ body }) => body.latest_delivered_messages.length);
const notice = async (cids: string[], author: string) => {
  let received = 0;
  const stop = client.on('notification.message_new', () => {
    received += 1;
  });
  for (const cid of cids) {
    const message = aMessage(`in-${cid.slice(10)}`, { cid, user: aUser(author) });
    server.state.broadcast({ type: 'notification.message_new', cid, message });
  }
  await vi.waitFor(() => expect(received).toBe(cids.length));
  stop();
};

beforeEach(async () => {
  server = await startChatDouble();
  clock = createHandClock();
  client = createClient({ apiKey: 'k', baseUrl: server.url, environment: { clock } });
  await client.connectUser({ id: 'ann' }, 'ann');
});
afterEach(async () => {
  await client.disconnect();
  await server.stop();
});

test('M11 a report goes out one second after arrival, at most 100 a call', async () => {
  await notice(
    Array.from({ length: 150 }, (_, index) => `messaging:c${index}`),
    'bea',
  );

  clock.advance(999);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reported()).toEqual([]);
  clock.advance(1);
  await vi.waitFor(() => expect(reported()).toEqual([100]));
  clock.advance(1000);

  await vi.waitFor(() => expect(reported()).toEqual([100, 50]));
});

test('M11 own messages are not reported, and nothing is sent when nothing came', async () => {
  await notice(['messaging:c1'], 'ann');

  clock.advance(5000);
  await new Promise((resolve) => setTimeout(resolve, 20));

  expect(reported()).toEqual([]);
});

test('M11 a thread reply does not take the place of the message that came before it', async () => {
  await notice(['messaging:c1'], 'bea');
  const cid = 'messaging:c1';
  const message = aMessage('reply', { cid, user: aUser('bea'), parent_id: 'in-c1' });
  const received = new Promise((resolve) => client.on('notification.message_new', resolve));
  server.state.broadcast({ type: 'notification.message_new', cid, message });
  await received;

  clock.advance(1000);

  await vi.waitFor(() => expect(reported()).toEqual([1]));
  const [{ body }] = server.requestsTo('/channels/delivered') as [{ body: Record<string, unknown> }];
  expect(body.latest_delivered_messages).toContainEqual({ cid, id: 'in-c1' });
});

test('M11 a report that the network lost is made again by itself', async () => {
  await client.disconnect();
  let isDown = true;
  const fetch: typeof globalThis.fetch = (url, init) =>
    isDown && String(url).includes('/delivered')
      ? Promise.reject(new TypeError('down'))
      : globalThis.fetch(url, init);
  client = createClient({
    apiKey: 'k',
    baseUrl: server.url,
    environment: { clock, fetch: fetch as never },
    log: { warn: () => {}, error: () => {} },
  });
  await client.connectUser({ id: 'ann' }, 'ann');
  await notice(['messaging:c1'], 'bea');

  clock.advance(1000);
  await new Promise((resolve) => setTimeout(resolve, 20));
  isDown = false;
  await vi.waitFor(() => {
    clock.advance(1000);
    expect(reported()).toEqual([1]);
  });
});

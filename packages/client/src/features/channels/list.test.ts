import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ChannelListHandle, createClient, type ParleyClient } from '../../index.ts';
import { type ChatDouble, startChatDouble } from '../../testing/chat-double.ts';
import { createHandClock, type HandClock } from '../../testing/hand-clock.ts';

let server: ChatDouble;
let client: ParleyClient;
let clock: HandClock;
let list: ChannelListHandle;

beforeEach(async () => {
  server = await startChatDouble();
  for (const id of ['design', 'garden']) server.state.addChannel(`messaging:${id}`);
  clock = createHandClock();
  client = createClient({ apiKey: 'k', baseUrl: server.url, environment: { clock, random: () => 1 } });
  await client.connectUser({ id: 'ann' }, 'ann');
  list = client.channels.list({ limit: 2 });
  await vi.waitFor(() => expect(list.get()).toMatchObject({ status: 'ready', hasMore: true }));
});
afterEach(async () => {
  list.stop();
  await client.disconnect();
  await server.stop();
});

const isNextPage = ({ path, body }: { path: string; body: { next?: string } }): boolean =>
  path === '/channels' && body.next !== undefined;
const asked = () => server.requests.filter(isNextPage).length;

/** A screen that shows the end of the list asks whenever the list has changed. */
const askAlways = () => list.subscribe(() => void list.loadMore());

test('M14 a next page that the network loses is asked for again with growing pauses, however often a screen asks', async () => {
  server.faults.fault = (request) => (isNextPage(request) ? 'drop' : undefined);
  askAlways();
  void list.loadMore();

  for (const [tries, ms] of [
    [1, 1000],
    [2, 2000],
    [3, 4000],
  ] as const) {
    await vi.waitFor(() => expect([asked(), clock.pending > 0]).toEqual([tries, true]));
    clock.advance(ms - 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked()).toBe(tries);
    clock.advance(1);
  }

  server.faults.fault = () => undefined;
  await vi.waitFor(() => expect(asked()).toBeGreaterThanOrEqual(4));
  clock.advance(8000);
  await vi.waitFor(() => expect(list.get()).toMatchObject({ hasMore: false, isLoadingMore: false }));
  expect(list.get().cids).toHaveLength(3);
});

test('M14 a next page that is refused is not asked for again by itself', async () => {
  server.faults.fault = (request) => (isNextPage(request) ? 'NotAllowed' : undefined);
  await list.loadMore();
  clock.advance(60_000);

  expect(list.get()).toMatchObject({ status: 'error', isLoadingMore: false });
  expect(asked()).toBe(1);
});

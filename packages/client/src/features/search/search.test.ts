import { expect, test, vi } from 'vitest';
import type { FeatureCore, ParleyClient } from '../../client.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { aMessage, aUser } from '../../testing/records.ts';
import { search as searchFeature } from './index.ts';

type Call = { key: string; body: { query?: string; next?: string; limit?: number }; signal: AbortSignal };

/** A client that answers when the test says so. */
const open = ({ isLoaded = true } = {}) => {
  const calls: (Call & { answer: (reply: unknown) => void; fail: () => void })[] = [];
  const call = (key: string, { body, signal }: Omit<Call, 'key'>) =>
    new Promise((resolve, reject) => {
      calls.push({ key, body, signal, answer: resolve, fail: () => reject(new Error('no')) });
    });
  const channels = { state: () => ({ get: () => (isLoaded ? {} : undefined) }) };
  const me = { get: () => aUser('ann') };
  const client = { http: { call }, me, channels } as unknown as ParleyClient;
  const clock = createHandClock();
  const core = { client, environment: { clock }, resets: [] } as unknown as FeatureCore;
  const search = searchFeature.create(core).create();
  const to = (path: string) => calls.filter(({ key }) => key.endsWith(path));
  const answerAll = (id: string, next?: string) => {
    const hit = { message: aMessage(id), snippet: { text: 'x', matches: [] } };
    to('/search')
      .at(-1)
      ?.answer({ results: [hit], next });
    to('/channels').at(-1)?.answer({ channels: [] });
    to('/users/query').at(-1)?.answer({ users: [] });
  };
  const ids = () => search.get().messages.items.map(({ message }) => message.id);
  return { clock, search, to, answerAll, ids };
};

test('M13 asks once, 300 ms after the last key, for ten of each', () => {
  const { clock, search, to } = open();
  search.type('h');
  clock.advance(299);
  search.type('he');
  clock.advance(299);
  expect(to('/search')).toHaveLength(0);
  clock.advance(1);

  expect(to('/search').map(({ body }) => [body.query, body.limit])).toEqual([['he', 10]]);
  expect([to('/channels').length, to('/users/query').length]).toEqual([1, 1]);
});

test('M13 the search before is cancelled and its answer is ignored', async () => {
  const { clock, search, to, answerAll, ids } = open();
  search.type('old');
  clock.advance(300);
  const [first] = to('/search');
  search.type('new');
  clock.advance(300);
  expect(first?.signal.aborted).toBe(true);
  answerAll('fresh');
  first?.answer({ results: [{ message: aMessage('stale'), snippet: { text: '', matches: [] } }] });

  await vi.waitFor(() => expect(search.get().status).toBe('ready'));
  expect(ids()).toEqual(['fresh']);
});

test('M13 a result in a conversation that no list has loaded is named by its title, or by its members', async () => {
  const { clock, search, to, answerAll } = open({ isLoaded: false });
  search.type('he');
  clock.advance(300);
  answerAll('one');
  await vi.waitFor(() => expect(to('/channels')).toHaveLength(2));
  const { cid } = aMessage('one');
  expect(to('/channels')[1]?.body).toMatchObject({ filter: { cid: { $in: [cid] } }, message_limit: 0 });
  const members = ['ann', 'bo'].map((id) => ({ user_id: id, user: { ...aUser(id), name: `The ${id}` } }));
  to('/channels')[1]?.answer({ channels: [{ channel: { cid, id: 'x' }, members }] });

  await vi.waitFor(() => expect(search.get().messages.items[0]?.place).toBe('The bo'));
});

test('M13 more of a group comes after what is there', async () => {
  const { clock, search, to, answerAll, ids } = open();
  search.type('he');
  clock.advance(300);
  answerAll('one', 'cursor');
  await vi.waitFor(() => expect(search.get().status).toBe('ready'));
  const more = search.loadMore('messages');
  expect(to('/search').at(-1)?.body.next).toBe('cursor');
  answerAll('two');
  await more;

  expect(ids()).toEqual(['one', 'two']);
  expect(search.get().messages.next).toBeUndefined();
});

test('M13 emptied, it asks nothing and shows nothing; a failure says so and can be repeated', async () => {
  const { clock, search, to } = open();
  search.type('he');
  clock.advance(300);
  to('/search')[0]?.fail();
  await vi.waitFor(() => expect(search.get().status).toBe('failed'));
  search.retry();
  clock.advance(0);
  expect(to('/search')).toHaveLength(2);
  search.type(' ');
  clock.advance(1000);

  expect([to('/search').length, search.get().status]).toEqual([2, 'idle']);
});

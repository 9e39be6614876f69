import type { Environment, ParleyClient } from '@parley/client';
import { deliveredTo, isDeliveredTo, receipts as receiptsFeature } from '@parley/client/reads';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { clientClock, pause } from './support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

type Report = { latest_delivered_messages: { cid: string; id: string }[] };

/** Connects somebody and keeps every delivery report that goes over the wire, with its answer. */
const listen = async (user: string, given: Partial<Environment> = {}) => {
  const reports: { body: Report; status: number }[] = [];
  const fetch: Environment['fetch'] = async (url, init) => {
    const response = await globalThis.fetch(url, init);
    if (url.includes('/channels/delivered'))
      reports.push({ body: JSON.parse(String(init.body)) as Report, status: response.status });
    return response;
  };
  const { client } = await chat.connect(user, { environment: { fetch, ...given } });
  return { client, reports };
};

let serial = 0;
const makeRooms = async (count: number, members: string[]): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => `delivery-${++serial}`);
  for (const id of ids) await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members });
  return ids;
};
const say = (author: string, id: string, text = 'hello') =>
  chat.admin.messages.send(`messaging:${id}`, author, { text });
const received = (client: ParleyClient) => {
  const seen: string[] = [];
  client.on('notification.message_new', ({ message }) => seen.push(message.id));
  client.on('message.new', ({ message }) => seen.push(message.id));
  return seen;
};

test('M11 a report goes out a second after arrival, once for all that came meanwhile', async () => {
  const [first = '', second = ''] = await makeRooms(2, ['ana', 'bo']);
  const clock = createTestClock();
  const bo = await listen('bo', { clock: clientClock(clock) });
  const seen = received(bo.client);
  await say('ana', first, 'one');
  await until(() => seen.length === 1, 'the first');
  clock.advance(600);
  await say('ana', second, 'two');
  const last = await say('ana', first, 'three');
  await until(() => seen.length === 3, 'all three');

  clock.advance(399);
  await pause(50);
  expect(bo.reports).toEqual([]);
  clock.advance(1);
  await until(() => bo.reports.length > 0, 'the report');

  const reported = bo.reports[0]?.body.latest_delivered_messages.map(({ cid }) => cid).sort();
  expect(reported).toEqual([`messaging:${first}`, `messaging:${second}`]);
  expect(bo.reports[0]?.body.latest_delivered_messages).toContainEqual({
    cid: `messaging:${first}`,
    id: last.id,
  });
  clock.advance(10_000);
  await pause(50);
  expect(bo.reports).toHaveLength(1);
});

test('M11 at most 100 a call; the rest a second later', async () => {
  const ids = await makeRooms(130, ['ana', 'cy']);
  const clock = createTestClock();
  const cy = await listen('cy', { clock: clientClock(clock) });
  const seen = received(cy.client);
  for (const id of ids) await say('ana', id);
  await until(() => seen.length === 130, 'all of them');
  const sizes = () => cy.reports.map(({ body }) => body.latest_delivered_messages.length);

  clock.advance(999);
  await pause(50);
  expect(sizes()).toEqual([]);
  clock.advance(1);
  await until(() => sizes().length === 1, 'the first report');
  clock.advance(1000);
  await until(() => sizes().length === 2, 'the second report');
  clock.advance(10_000);
  await pause(50);

  expect(sizes()).toEqual([100, 30]);
  expect(cy.reports.map(({ status }) => status)).toEqual([200, 200]);
});

test('M11 nothing is reported when nothing came: not for own messages, not when idle', async () => {
  const [id = ''] = await makeRooms(1, ['ana', 'bo']);
  const clock = createTestClock();
  const bo = await listen('bo', { clock: clientClock(clock) });
  const seen = received(bo.client);
  await bo.client.channels.open('messaging', id);
  await bo.client.messages.send(`messaging:${id}`, { text: 'mine' });
  await until(() => seen.length === 1, 'the own message');

  for (let second = 0; second < 20; second++) clock.advance(1000);
  await pause(50);

  expect(bo.reports).toEqual([]);
  const raw = await chat.as('bo');
  const empty = await raw.refused('POST /channels/delivered', { body: { latest_delivered_messages: [] } });
  expect(empty).toMatchObject({ code: 4, details: [{ path: 'latest_delivered_messages' }] });
});

test('M11 the sender sees to whom it came and when, before anybody reads', async () => {
  const [id = ''] = await makeRooms(1, ['ana', 'bo']);
  const cid = `messaging:${id}`;
  const { client } = await chat.connect('ana');
  await client.channels.open('messaging', id);
  await listen('bo');
  const message = await client.messages.send(cid, { text: 'there yet?' });
  const state = () => client.channels.state(cid).get();
  const isThere = () => {
    const now = state();
    return now !== undefined && isDeliveredTo(now, message, 'bo');
  };
  expect(isThere()).toBe(false);

  await until(isThere, 'the delivery');

  const now = state();
  expect(now && deliveredTo(now, message).map((user) => user.id)).toEqual(['bo']);
  expect(now?.read.bo?.last_delivered_message_id).toBe(message.id);
  const receipts = await client.feature(receiptsFeature).of(message.id);
  expect([receipts.read_count, receipts.delivered_count]).toEqual([0, 1]);
  expect(receipts.delivered.map(({ user, at }) => [user.id, at])).toEqual([
    ['bo', now?.read.bo?.last_delivered_at],
  ]);
});

import { startServer } from '@parley/server';
import { createTestChat, startNats, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';

const startOther = async (chat: TestChat) => {
  const other = await startServer({ ...chat.server.kernel.config, port: 0 });
  onTestFinished(other.stop);
  return other;
};

test('W4 a server that is alone notifies nobody of sends, typing and reads; with another one it does', async () => {
  const chat = await createTestChat({ users: ['ana', 'bo'] });
  onTestFinished(chat.stop);
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const ana = await chat.connect('ana');
  const bo = await chat.connect('bo');
  const cid = await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
  const listener = new pg.Client({ connectionString: chat.databaseUrl });
  await listener.connect();
  onTestFinished(() => listener.end());
  const received: string[] = [];
  listener.on('notification', ({ channel }) => void received.push(channel));
  await listener.query('listen parley_bus; listen the_end');
  const raw = await chat.as('bo');
  const talk = async (text: string) => {
    const { id } = await ana.client.messages.send(cid, { text });
    const path = { type: 'messaging', id: 'room' };
    await raw.call('POST /channels/{type}/{id}/event', { path, body: { event: { type: 'typing.start' } } });
    await raw.call('POST /channels/{type}/{id}/read', { path, body: {} });
    await raw.call('POST /messages/{id}/reaction', { path: { id }, body: { reaction: { type: 'like' } } });
  };

  await talk('alone');
  // Notifications come in the order of their commits.
  await chat.server.kernel.pools.pool.query('notify the_end');
  await until(() => received.includes('the_end'), 'the end of what the server sends');
  expect(received).toEqual(['the_end']);

  const other = await startOther(chat);
  await chat.connect('bo', { baseUrl: `${other.url}/api` });
  await talk('together');
  await until(() => received.filter((channel) => channel === 'parley_bus').length > 1, 'texts for the other');
});

type Connections = { connections: { subscriptions_list?: string[] }[] };

test('W4 on NATS a server takes the texts of a channel while a connection of its own follows it, and those of users that it holds', async ({
  skip,
}) => {
  const nats = await startNats({ monitored: true });
  if ('missing' in nats) return skip(nats.missing);
  const chat = await createTestChat({ users: ['ana', 'bo'], config: { bus: nats.bus } });
  onTestFinished(async () => {
    await chat.stop();
    await nats.kill();
  });
  const other = await startOther(chat);
  /** How many servers subscribe to this subject. */
  const subscribers = async (kind: string, name: string): Promise<number> => {
    const end = `.${kind}.${Buffer.from(name).toString('base64url')}`;
    const { connections } = (await (await fetch(`${nats.monitor}/connz?subs=1`)).json()) as Connections;
    return connections.filter((one) => one.subscriptions_list?.some((subject) => subject.endsWith(end)))
      .length;
  };
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const cid = 'messaging:room';
  expect(await subscribers('channel', cid)).toBe(0);

  const ana = await chat.connect('ana');
  await ana.client.channels.open('messaging', 'room');
  await until(async () => (await subscribers('channel', cid)) === 1, 'that the server of Ana follows');
  expect([await subscribers('user', 'ana'), await subscribers('user', 'bo')]).toEqual([1, 0]);
  const bo = await chat.connect('bo', { baseUrl: `${other.url}/api` });
  await bo.client.channels.open('messaging', 'room');
  await until(async () => (await subscribers('channel', cid)) === 2, 'that both servers follow');
  expect(await subscribers('user', 'bo')).toBe(1);
  await bo.client.disconnect();

  await until(async () => (await subscribers('channel', cid)) === 1, 'that the server of Bo follows no more');
  await until(async () => (await subscribers('user', 'bo')) === 0, 'that no server holds Bo');
});

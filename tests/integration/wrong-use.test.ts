import { type ClientOptions, createClient, type ParleyClient } from '@parley/client';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
const clients: ParleyClient[] = [];
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'] });
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.disconnect()));
  await chat.stop();
});

const make = (options: Partial<ClientOptions> = {}) => {
  let calls = 0;
  const client = createClient({
    apiKey: chat.apiKey,
    baseUrl: chat.baseUrl,
    log: { warn: () => undefined, error: () => undefined },
    keepUserOnConnectFailure: false,
    ...options,
    environment: {
      random: () => 0,
      fetch: (url, init) => {
        calls += 1;
        return fetch(url, init);
      },
    },
  });
  clients.push(client);
  return { client, calls: () => calls };
};

test('C10 a baseUrl without /api is answered in words that name it', async () => {
  const { client } = make({ baseUrl: chat.url });

  await expect(client.connectUser({ id: 'ana' }, await chat.token('ana'))).rejects.toThrow(
    `is "${chat.url}" its API, ending in "/api"?`,
  );
});

test.each(['a b', 'a/b', 'ä', 'x'.repeat(65)])(
  'C1 the user id %j is refused in words before any call',
  async (id) => {
    const { client, calls } = make();

    await expect(client.connectUser({ id }, 'token')).rejects.toThrow(`"${id}" is no user id`);
    await expect(client.connectGuest({ id })).rejects.toThrow(`"${id}" is no user id`);

    expect([calls(), client.connection.get().status]).toEqual([0, 'disconnected']);
  },
);

test('M13 the error of the server about an unknown operator or field in a filter arrives unchanged', async () => {
  const { client } = make();
  await client.connectUser({ id: 'ana' }, await chat.token('ana'));
  const caller = await chat.as('ana');

  for (const filter of [{ name: { $lik: 'x' } }, { 'naem.x': 'y' }]) {
    const said = await caller.refused('POST /users/query', { body: { filter } });
    await expect(client.users.query({ filter })).rejects.toMatchObject({
      ...{ name: said.name, message: said.message, details: said.details },
    });
    expect(said.message).toContain(Object.keys(filter)[0]);
  }
});

test('C10 to make a channel that was deleted says that its id stays taken, and how it gets free', async () => {
  const { admin } = chat;
  const create = () => admin.channels.create('team', 'gone', { created_by_id: 'ana' });
  await create();
  await admin.channels.delete('team:gone');

  await expect(create()).rejects.toThrow(
    'Channel team:gone was deleted and its id stays taken: choose another',
  );
  await admin.channels.delete('team:gone', { hard: true });
  await expect(create()).resolves.toMatchObject({ channel: { cid: 'team:gone' } });
});

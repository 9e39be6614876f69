import { createClient, type ParleyClient } from '@parley/client';
import { until } from '@parley/testkit';
import { afterAll, expect, test } from 'vitest';
import { createBalancer } from './balancer.ts';
import { createServerGroup } from './server-group.ts';
import { apiKey, type ServerProcess, tokenFor } from './server-process.ts';

const group = createServerGroup({ PARLEY_DRAIN_READY_MS: '200', PARLEY_DRAIN_RECONNECT_MS: '10000' });
const balancer = await createBalancer();
afterAll(() => balancer.stop());

const people = ['ana', 'bo', 'cy', 'di'];
const cid = 'messaging:room';

const makeRoom = async ({ call }: ServerProcess): Promise<void> => {
  await call('POST', '/users', { users: Object.fromEntries(people.map((id) => [id, { id }])) });
  await call('POST', '/channels/messaging/room/query', { data: { created_by_id: 'ana', members: people } });
};

/** A client behind the balancer; the last of them has no sockets. */
const connect = async (id: string, at: number): Promise<ParleyClient> => {
  const client = createClient({
    apiKey,
    baseUrl: `${balancer.url}/api`,
    windowSize: 2000,
    // Opening the channel is repeated by nobody.
    httpTimeout: 60_000,
    log: { warn: () => undefined, error: () => undefined },
    environment: {
      // A server ends as soon as its clients have moved: they take the beginning of the time.
      random: () => Math.random() / 20,
      ...(at === people.length - 1 ? { WebSocket: undefined } : {}),
    },
  });
  await client.connectUser({ id }, tokenFor(id));
  await client.channels.open('messaging', 'room');
  return client;
};

const replace = async (server: ServerProcess): Promise<ServerProcess> => {
  server.signal('SIGTERM');
  expect(await server.exited).toBe(0);
  balancer.remove(server.url);
  group.forget(server);
  const next = await group.start();
  await balancer.add(next.url);
  return next;
};

test('W4 all servers are restarted one after the other under load: no send fails, nothing is doubled, nobody goes offline', async () => {
  const servers = await Promise.all([group.start(), group.start()]);
  for (const { url } of servers) await balancer.add(url);
  const [first, second] = servers;
  if (!first || !second) throw new Error('There are two servers');
  await makeRoom(first);
  const clients = await Promise.all(people.map(connect));
  const statuses = new Set<string>();
  for (const { connection } of clients) connection.subscribe(() => statuses.add(connection.get().status));
  const sent: string[] = [];
  const failed: unknown[] = [];
  let isOver = false;
  const load = async (client: ParleyClient, name = ''): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const text = `${name} ${n}`;
      await client.messages.send(cid, { text }).then(
        () => sent.push(text),
        (error: unknown) => failed.push(error),
      );
      await new Promise((resolve) => setTimeout(resolve, 15));
    }
  };

  const writing = clients.map((client, at) => load(client, people[at]));
  await until(() => sent.length > 20, 'the load');
  for (const server of [first, second]) {
    await replace(server);
    const before = sent.length;
    await until(() => sent.length > before + 20, 'the load');
  }
  isOver = true;
  await Promise.all(writing);

  expect(failed).toEqual([]);
  const shown = (client: ParleyClient) =>
    client.channels
      .state(cid)
      .get()
      ?.messages.map(({ text }) => text) ?? [];
  await until(
    () => clients.every((client) => shown(client).length >= sent.length),
    'all messages everywhere',
  );
  expect(shown(clients[0] as ParleyClient).toSorted()).toEqual(sent.toSorted());
  for (const client of clients) expect(shown(client)).toEqual(shown(clients[0] as ParleyClient));
  expect([...statuses]).toEqual(['online']);
  await Promise.all(clients.map((client) => client.disconnect()));
});

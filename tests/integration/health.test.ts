import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CallKey, callMethod, callPath, calls, type MessageInput } from '@parley/protocol';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

let chat: TestChat;
let admin: pg.Client;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  admin = new pg.Client({ connectionString: process.env.PARLEY_TEST_PG ?? '' });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await chat.stop();
});

const read = async (path: string): Promise<string> => (await fetch(`${chat.url}${path}`)).text();
const statusOf = async (path: string): Promise<number> => (await fetch(`${chat.url}${path}`)).status;
const setDatabase = async (reachable: boolean): Promise<void> => {
  const name = new URL(chat.databaseUrl).pathname.slice(1);
  await admin.query(`alter database ${name} with allow_connections ${reachable}`);
  if (!reachable)
    // Waits for the end of each: on a busy machine a connection that is only signalled still answers.
    await admin.query('select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = $1', [
      name,
    ]);
};

test('protocol 1 alive and ready', async () => {
  expect(await statusOf('/healthz')).toBe(200);
  expect(await statusOf('/readyz')).toBe(200);
  expect(JSON.parse(await read('/readyz'))).toEqual({ status: 'ready' });
});

test('protocol 1 without its database it is alive but not ready, and recovers by itself', async () => {
  const bo = await chat.connect('bo');
  const ana = await chat.as('ana');
  await bo.client.channels.open('messaging', 'room');

  await setDatabase(false);
  expect(await statusOf('/readyz')).toBe(503);
  expect(JSON.parse(await read('/readyz'))).toMatchObject({
    status: 'not ready',
    not_ready: expect.arrayContaining(['database']),
  });
  expect(await statusOf('/healthz')).toBe(200);
  const body = JSON.stringify({ message: { text: 'lost' } });
  const failed = await ana.raw('POST', '/channels/messaging/room/message', { body });
  expect(failed).toMatchObject({ status: 500, body: { code: -1, name: 'Internal' } });
  expect(JSON.stringify(failed.body)).not.toMatch(/postgres|connection|select|insert/i);

  await setDatabase(true);
  await until(() => bo.client.connection.get().status === 'online', 'the connection');
  await until(async () => (await statusOf('/readyz')) === 200, 'that it is ready');
  const sent = await ana.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'room' },
    body: { message: { text: 'back' } },
  });
  const last = () => bo.client.channels.state('messaging:room').get()?.messages.at(-1)?.id;
  await until(() => last() === sent.message.id, 'the message at Bo');
});

test('W4 the first send, vote and step of a location after the database was away succeed', async () => {
  const ana = await chat.as('ana');
  const path = { type: 'messaging', id: 'room' };
  const send = async (message: MessageInput) =>
    (await ana.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message;
  const { poll } = await ana.call('POST /polls', {
    body: { name: 'Tea?', options: [{ text: 'Yes' }, { text: 'No' }] },
  });
  const { id } = await send({ poll_id: poll.id });
  const place = { latitude: 52.5, longitude: 13.4, created_by_device_id: 'phone' };
  const share = await send({
    shared_location: { ...place, end_at: new Date(Date.now() + 6e5).toISOString() },
  });
  const vote = (index: number) =>
    ana.call('POST /messages/{id}/polls/{poll_id}/vote', {
      path: { id, poll_id: poll.id },
      body: { vote: { option_id: poll.options[index]?.id ?? '' } },
    });
  const step = (latitude: number) =>
    ana.call('PUT /users/live_locations', { body: { ...place, message_id: share.id, latitude } });
  // Each opens a connection of its own.
  await vote(0);
  await step(52.6);

  await setDatabase(false);
  expect(await statusOf('/readyz')).toBe(503);
  await setDatabase(true);
  await vi.waitFor(async () => expect(await statusOf('/readyz')).toBe(200));

  expect((await send({ text: 'first' })).text).toBe('first');
  expect((await vote(1)).vote?.option_id).toBe(poll.options[1]?.id);
  expect((await step(52.7)).shared_location.latitude).toBe(52.7);
});

test('M4 a send that meets a database away for a moment is tried again and arrives once', async () => {
  const { client } = await chat.connect('ana', { environment: { random: () => 0 } });
  const cid = await client.channels.open('messaging', 'room');

  await setDatabase(false);
  const sending = client.messages.send(cid, { id: 'through', text: 'through the gap' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await setDatabase(true);

  expect((await sending).id).toBe('through');
  const seen = client.channels
    .state(cid)
    .get()
    ?.messages.filter(({ id }) => id === 'through');
  expect(seen).toHaveLength(1);
});

test('W4 those who ask for /readyz at the same time share one look at the parts', async () => {
  const { promise: isReady, resolve } = Promise.withResolvers<boolean>();
  const looks = vi.spyOn(chat.server.kernel.bus, 'ready').mockImplementation(() => isReady);
  onTestFinished(() => looks.mockRestore());
  const askAll = (path: string) => Promise.all(Array.from({ length: 30 }, () => statusOf(path)));
  const asked = askAll('/readyz');
  await askAll('/healthz');
  resolve(true);

  expect(await asked).toEqual(Array(30).fill(200));
  expect(looks.mock.calls.length).toBeLessThan(30);
});

test.each(['/metrics', '/%6detrics', '/metrics?a=b'])('W4 %s is not shown through a proxy', async (path) => {
  for (const headers of [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }])
    expect((await fetch(`${chat.url}${path}`, { headers })).status).toBe(404);
  expect(await statusOf(path)).toBe(200);
});

test('protocol 1 /metrics counts connections, messages and requests', async () => {
  await chat.connect('ana');

  const text = await (await fetch(`${chat.url}/metrics`)).text();

  const value = (name: string) => Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\d+)`, 'm').exec(text)?.[1]);
  expect(value('parley_connections')).toBeGreaterThan(0);
  expect(value('parley_messages_total')).toBeGreaterThan(0);
  expect(value('parley_http_requests_total')).toBeGreaterThan(0);
  expect(text).toMatch(/^# TYPE parley_connections gauge$/m);
});

test('protocol 1 /metrics has the latency of each call by the pattern of its route, and no id of anybody', async () => {
  const ana = await chat.as('ana');
  await ana.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'room' },
    body: { message: { text: 'measured' } },
  });
  await ana.raw('POST', '/channels/messaging/no-such-room/message', { body: '{"message":{"text":"x"}}' });
  await fetch(`${chat.url}/no-such-path/${crypto.randomUUID()}`, { method: 'PUT' });

  // A latency is counted after the caller has the response.
  await vi.waitFor(async () => {
    const text = await (await fetch(`${chat.url}/metrics`)).text();
    const lines = text
      .split('\n')
      .filter((line) => line.startsWith('parley_http_request_duration_seconds_count'));
    const series = lines.map((line) => line.slice(line.indexOf('{'), line.indexOf('}') + 1));
    const send = 'method="POST",route="/api/channels/:type/:id/message"';
    expect(series).toEqual(
      expect.arrayContaining([
        `{${send},status="2xx"}`,
        `{${send},status="4xx"}`,
        '{method="any",route="unmatched",status="4xx"}',
      ]),
    );
    expect(text).not.toMatch(/no-such-|messaging/);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
  });
});

test('W4 /readyz names the migrations where an older backup took the place of the database', async () => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    'delete from migrations where name = (select max(name) from migrations) returning name',
  );

  expect(await statusOf('/readyz')).toBe(503);
  expect(JSON.parse(await read('/readyz'))).toEqual({ status: 'not ready', not_ready: ['migrations'] });

  await client.query('insert into migrations (name) values ($1)', [rows[0]?.name]);
  await client.end();
  expect(await statusOf('/readyz')).toBe(200);
});

const rootOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const metricNames = (text: string): string[] => [
  ...new Set(text.match(/\b(?:parley|nodejs|process)_\w+/g)?.filter((name) => !name.endsWith('_'))),
];

test('W4 every metric of the dashboard and of the documentation is one that /metrics prints', async () => {
  const printed = await read('/metrics');
  const isPrinted = (name: string) => new RegExp(`^(?:# TYPE )?${name}[{ ]`, 'm').test(printed);
  const dashboard = JSON.parse(readFileSync(rootOf('deploy/grafana/parley.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };

  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.filter((query) => metricNames(query).length === 0)).toEqual([]);
  expect(queries.flatMap(metricNames).filter((name) => !isPrinted(name))).toEqual([]);
  const [, documented = ''] =
    /## Metrics([\s\S]*?)(?:\n## |$)/.exec(readFileSync(rootOf('docs/production.md'), 'utf8')) ?? [];
  expect(metricNames(documented).length).toBeGreaterThan(10);
  expect(
    metricNames(documented).filter((name) => !isPrinted(name) && !/^parley_(spans|replica)/.test(name)),
  ).toEqual([]);
});

test('W4 /metrics names the server, its bus, the use of its database and the length of its queues', async () => {
  const printed = await read('/metrics');
  for (const line of [
    /^parley_server_info\{server="test",bus="notify"\} 1$/m,
    /^parley_servers 1$/m,
    /^parley_bus_up 1$/m,
    /^parley_bus_healed_total 0$/m,
    /^parley_bus_delay_seconds_count 0$/m,
    /^parley_queue_length\{queue="sends"\} 0$/m,
    /^parley_queue_length\{queue="votes"\} 0$/m,
    /^parley_database_connections\{pool="writes"\} \d/m,
    /^parley_database_waiting\{pool="queries"\} 0$/m,
  ])
    expect(printed).toMatch(line);
});

type Document = {
  openapi: string;
  paths: Record<string, Record<string, { responses?: object; operationId?: string }>>;
};
const readDocument = async (): Promise<Document> =>
  (await (await fetch(`${chat.baseUrl}/openapi.json`)).json()) as Document;

test('protocol 1 the OpenAPI document knows every call, and nothing else', async () => {
  const document = await readDocument();
  const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter((method) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

  expect(document.openapi).toMatch(/^3\.1/);
  expect(listed.sort()).toEqual(Object.keys(calls).sort());
  for (const methods of Object.values(document.paths))
    for (const operation of Object.values(methods))
      expect(Object.keys(operation.responses ?? {})).not.toEqual([]);
});

test('protocol 1 every reference of the OpenAPI document leads somewhere', async () => {
  const document = await readDocument();
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    (match) => match[1] ?? '',
  );

  for (const reference of references) {
    const found = reference
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], document);
    expect([reference, typeof found]).toEqual([reference, 'object']);
  }
});

test('protocol 5 the server has a route for every call', async () => {
  const missing = (Object.keys(calls) as CallKey[]).filter((key) => {
    const url = `/api${callPath(key).replace(/\{(\w+)\}/g, ':$1')}`;
    return !callPath(key).startsWith('/dev/') && !chat.server.app.hasRoute({ method: callMethod(key), url });
  });
  expect(missing).toEqual([]);
});

test('protocol 1 the API reference is a page', async () => {
  const response = await fetch(`${chat.baseUrl}/docs`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
});

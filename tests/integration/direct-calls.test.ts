import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { limits } from '@parley/protocol';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Sends are answered beside the framework (http/direct-calls.ts). A media type with a parameter is not plain: such a send goes through
// the framework, and its answer must be the same.
const direct = 'application/json';
const framework = 'application/json; charset=utf-8';
const page = 'https://chat.example.com';
/** Where the framework begins to handle a call. */
const handling = 'tracing:fastify.request.handler:start';

let chat: TestChat;
const tokens = new Map<string, string>();
const agent = new Agent({ keepAlive: true });
let handled = 0;
const count = () => {
  handled++;
};
beforeAll(async () => {
  const users = ['ana', 'bo', 'cy', 'dee', 'eve'];
  chat = await createTestChat({ users, config: { rateLimits: true, corsOrigins: [page] } });
  const members = ['ana', 'bo', 'cy', 'dee'];
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members });
  for (const user of users) {
    tokens.set(user, await chat.token(user));
    // A token is known once it was good.
    await (await chat.as(user)).call('GET /unread');
    await ask({ user, type: framework, body: '{}' });
  }
  subscribe(handling, count);
});
afterAll(async () => {
  unsubscribe(handling, count);
  agent.destroy();
  await chat.stop();
});

type Asked = {
  user?: string;
  type: string;
  body: string;
  path?: string;
  headers?: Record<string, string>;
};
type Reply = { status: number; headers: IncomingHttpHeaders; body: string };

const ask = ({ user = 'ana', type, body, path = '/channels/messaging/room/message', headers }: Asked) =>
  new Promise<Reply>((resolve, reject) => {
    const sent = request(`${chat.baseUrl}${path}`, {
      method: 'POST',
      agent,
      headers: {
        'x-api-key': chat.apiKey,
        authorization: tokens.get(user) ?? '',
        'x-client-request-id': 'one',
        'content-type': type,
        'content-length': Buffer.byteLength(body),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString('latin1'),
        }),
      );
    });
    sent.end(body);
  });

/** Headers whose value differs between two sends: only their presence is compared. */
const changing = new Set(['content-length', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after']);

/** The answer without what differs between two sends: numbers, times, ids and the budget that is left. */
const comparable = ({ status, headers, body }: Reply) => {
  const { date: _date, ...rest } = headers;
  const isPacked = headers['content-encoding'] !== undefined;
  const kept = Object.entries(rest).map(([name, value]) => [name, changing.has(name) ? 'some' : value]);
  const text = body
    .replace(/"(seq|number|id|created_at|updated_at)":("[^"]*"|\d+)/g, '"$1":0')
    .replace(/wait \d+ s/, 'wait');
  return { status, headers: Object.fromEntries(kept), body: isPacked ? '' : text };
};

const both = async (given: Omit<Asked, 'type'>) => {
  const before = handled;
  const ours = await ask({ ...given, type: direct });
  const beside = handled - before;
  const theirs = await ask({ ...given, type: framework });
  return { ours: comparable(ours), theirs: comparable(theirs), beside };
};

const say = (message: Record<string, unknown>, more = {}) => JSON.stringify({ message, ...more });
const long = (length: number) => `/channels/messaging/${'i'.repeat(length)}/message`;
const deep = `{"message":{"text":"x","data":${'['.repeat(70)}${']'.repeat(70)}}}`;

test.each<[string, number, Omit<Asked, 'type'>]>([
  ['a message', 201, { body: say({ text: 'Grüße 🎉' }) }],
  ['an ephemeral message of a person', 403, { body: say({ text: 'x', type: 'ephemeral' }) }],
  ['a pending message', 201, { body: say({ text: 'x' }, { pending: true }) }],
  ['a page that may call', 201, { body: say({ text: 'x' }), headers: { origin: page } }],
  ['a long answer', 201, { body: say({ text: 'long '.repeat(400) }) }],
  ['a packed answer', 201, { body: say({ text: 'y '.repeat(900) }), headers: { 'accept-encoding': 'br' } }],
  [
    'a packed answer to a page',
    201,
    { body: say({ text: 'y '.repeat(900) }), headers: { 'accept-encoding': 'gzip', origin: page } },
  ],
  ['no message', 400, { body: '{}' }],
  ['an unknown field', 400, { body: say({ text: 'x' }, { mesage: 1 }) }],
  ['an empty text', 400, { body: say({ text: '' }) }],
  ['broken JSON', 400, { body: '{"message":' }],
  ['no object', 400, { body: '[]' }],
  ['deep JSON', 400, { body: deep }],
  ['a key __proto__', 400, { body: '{"message":{"text":"x","__proto__":{}}}' }],
  ['another author', 403, { body: say({ text: 'x', user_id: 'bo' }) }],
  ['no right', 403, { user: 'eve', body: say({ text: 'x' }) }],
  ['no channel', 404, { body: say({ text: 'x' }), path: '/channels/messaging/none/message' }],
  ['an id too long', 400, { body: say({ text: 'x' }), path: long(256) }],
  ['no type', 404, { body: say({ text: 'x' }), path: '/channels/nothing/none/message' }],
])(
  'protocol 1 a send beside the framework answers as the framework does: %s',
  async (_name, status, asked) => {
    const { ours, theirs, beside } = await both(asked);

    expect(ours).toEqual(theirs);
    expect([ours.status, beside]).toEqual([status, 0]);
  },
);

test('protocol 1 the same id again gives the stored message on both ways', async () => {
  const body = say({ id: 'said-once', text: 'once' });
  expect((await ask({ type: direct, body })).status).toBe(201);

  const { ours, theirs, beside } = await both({ body });

  expect(ours).toEqual(theirs);
  expect([ours.status, beside]).toEqual([200, 0]);
});

test.each<[string, number, Omit<Asked, 'type'>]>([
  ['a strange page', 201, { headers: { origin: 'https://other.example.com' }, body: say({ text: 'x' }) }],
  ['a query', 201, { path: '/channels/messaging/room/message?api_key=test-key', body: say({ text: 'x' }) }],
  ['a wrong token', 401, { headers: { authorization: 'wrong' }, body: say({ text: 'x' }) }],
  ['a wrong key', 401, { headers: { 'x-api-key': 'wrong' }, body: say({ text: 'x' }) }],
  ['an id over the length of the framework', 400, { path: long(257), body: say({ text: 'x' }) }],
  ['a text too long', 413, { body: say({ text: 'x'.repeat(limits.textLength + 1) }) }],
  ['a body over the limit', 413, { body: say({ text: 'x'.repeat(1_100_000) }) }],
])('protocol 1 a send that is not plain is left to the framework: %s', async (_name, status, asked) => {
  const { ours, theirs } = await both(asked);

  expect(ours).toEqual(theirs);
  expect(ours.status).toBe(status);
});

test('protocol 1 both ways of sending take from one budget and refuse alike', async () => {
  const body = say({ text: 'x' });
  const first = await ask({ user: 'cy', type: direct, body });
  const second = await ask({ user: 'cy', type: framework, body });
  expect(Number(first.headers['ratelimit-remaining']) - Number(second.headers['ratelimit-remaining'])).toBe(
    1,
  );
  for (let left = Number(second.headers['ratelimit-remaining']); left > 0; left -= 20)
    await Promise.all(Array.from({ length: 20 }, () => ask({ user: 'cy', type: direct, body })));

  const { ours, theirs, beside } = await both({ user: 'cy', body });

  expect({ ...ours, beside }).toMatchObject({ status: 429, beside: 0 });
  expect(ours).toEqual(theirs);
});

test('protocol 1 a revoked token is refused on both ways', async () => {
  await chat.admin.revokeUserToken('dee', new Date());

  const { ours, theirs } = await both({ user: 'dee', body: say({ text: 'x' }) });

  expect(ours.status).toBe(401);
  expect(ours).toEqual(theirs);
});

test('protocol 1 a send whose caller is gone is stored, and the server goes on', async () => {
  const { port, hostname } = new URL(chat.url);
  const body = say({ id: 'said-and-gone', text: 'bye' });
  const head = [
    'POST /api/channels/messaging/room/message HTTP/1.1',
    `host: ${hostname}`,
    `x-api-key: ${chat.apiKey}`,
    `authorization: ${tokens.get('bo')}`,
    `content-type: ${direct}`,
    `content-length: ${body.length}`,
  ];
  const socket = connect(Number(port), hostname, () => {
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.resetAndDestroy());
  });
  const bo = await chat.as('bo');
  const find = () => bo.raw('GET', '/messages/said-and-gone', {}).then(({ status }) => status);

  await expect.poll(find).toBe(200);
  expect((await ask({ user: 'bo', type: direct, body: say({ text: 'x' }) })).status).toBe(201);
});

test('protocol 1 answers beside the framework are measured with those of their route', async () => {
  const counted = async () => {
    const text = await (await fetch(`${chat.url}/metrics`)).text();
    const line =
      /duration_seconds_count\{[^}]*route="\/api\/channels\/:type\/:id\/message"[^}]*2xx[^}]*\} (\d+)/;
    return Number(line.exec(text)?.[1]);
  };
  const before = await counted();
  await both({ user: 'bo', body: say({ text: 'x' }) });

  await expect.poll(counted).toBe(before + 2);
});

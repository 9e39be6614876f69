import { connect as connectTcp } from 'node:net';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let token: string;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  token = await chat.token('ana');
});
afterAll(() => chat.stop());

const path = { type: 'messaging', id: 'room' };
const messageUrl = '/channels/messaging/room/message';
const post = async (body: string | Uint8Array, url = messageUrl, headers: Record<string, string> = {}) => {
  const response = await fetch(`${chat.baseUrl}${url}`, {
    method: 'POST',
    body: body as BodyInit,
    headers: {
      'x-api-key': chat.apiKey,
      authorization: token,
      'content-type': 'application/json',
      ...headers,
    },
  });
  return { status: response.status, body: (await response.json()) as { code: number; message: string } };
};

/** Whatever a test did to the server, it still serves others. */
afterEach(async () => {
  const bo = await chat.as('bo');
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'still here' } } });
});

test.each([
  '{',
  '{"message":}',
  'nonsense',
  '{"message":{"text":"x"}}}',
  "{'message':{'text':'x'}}",
  '\u0000',
  '{"message":{"text":"x"',
  '[1,2',
  'NaN',
])('protocol 3 malformed JSON %j is refused', async (body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { code: 4 } });
});

test.each([
  'null',
  '7',
  '"text"',
  '[]',
  'true',
  '{}',
  '{"message":null}',
  '{"message":[]}',
  '{"message":"x"}',
  '{"message":{"text":7}}',
  '{"message":{"text":null}}',
  '{"message":{"text":["x"]}}',
  '{"message":{"text":"x","attachments":{}}}',
  '{"message":{"text":"x","attachments":[7]}}',
  '{"message":{"text":"x","mentioned_users":"bo"}}',
  '{"message":{"text":"x","silent":"yes"}}',
  '{"message":{"text":"x","id":7}}',
  '{"message":{"text":"x","id":"a:b"}}',
  '{"message":{"text":"x","type":"deleted"}}',
  '{"message":{"text":"x"},"extra":1}',
])('protocol 3 the wrong shape %s is refused', async (body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { code: 4 } });
});

test('protocol 3 details name the first field that is wrong, and no more are looked for', async () => {
  const { body } = await post('{"message":{"text":7,"silent":"yes"},"extra":1}');

  const { details } = body as { details?: { path: string }[] };
  expect(details).toHaveLength(1);
  expect(['extra', 'message.silent', 'message.text']).toContain(details?.[0]?.path);
});

test('protocol 3 a text of 20 000 characters is taken, one more is too large', async () => {
  expect(await post(JSON.stringify({ message: { text: 'x'.repeat(20_000) } }))).toMatchObject({
    status: 201,
  });
  expect(await post(JSON.stringify({ message: { text: 'x'.repeat(20_001) } }))).toMatchObject({
    status: 413,
    body: { code: 22, name: 'PayloadTooLarge' },
  });
});

test('protocol 3 an edit is held to the same length', async () => {
  const ana = await chat.as('ana');
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'x' } },
  });
  const long = 'x'.repeat(20_001);
  const id = { path: { id: message.id } };

  expect(await ana.refused('PUT /messages/{id}', { ...id, body: { message: { text: long } } })).toMatchObject(
    { status: 413 },
  );
  expect(
    (await ana.refused('PATCH /messages/{id}', { ...id, body: { set: { text: long } } })).status,
  ).toBeGreaterThanOrEqual(400);
});

test('protocol 3 a body over 1 MiB is too large', async () => {
  const body = JSON.stringify({ message: { text: 'x', blob: 'x'.repeat(1024 * 1024) } });
  expect(await post(body)).toMatchObject({ status: 413, body: { code: 22 } });
});

test('protocol 3 eleven attachments are too many, ten are not', async () => {
  const attachments = Array.from({ length: 11 }, (_, index) => ({ type: 'file', title: `f${index}` }));

  expect(await post(JSON.stringify({ message: { attachments } }))).toMatchObject({
    status: 400,
    body: { code: 4 },
  });
  expect(await post(JSON.stringify({ message: { attachments: attachments.slice(1) } }))).toMatchObject({
    status: 201,
  });
});

test('protocol 3 values that PostgreSQL cannot store are refused by their path', async () => {
  const cases: [string, string][] = [
    ['{"message":{"text":"a\\u0000b"}}', 'message.text'],
    ['{"message":{"text":"a\\ud800b"}}', 'message.text'],
    ['{"message":{"text":"a\\udc00\\ud800"}}', 'message.text'],
    ['{"message":{"text":"x","mood":"\\u0000"}}', 'message.mood'],
    ['{"message":{"text":"x","mood":{"deep":["\\ud83d"]}}}', 'message.mood.deep.0'],
    ['{"message":{"text":"x","a\\u0000b":1}}', 'message'],
  ];

  for (const [body, at] of cases)
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 4, details: [{ path: at }] } });
  expect(await post('{"message":{"text":"whole pairs \\ud83d\\ude00"}}')).toMatchObject({ status: 201 });
});

test('protocol 3 bytes that are no UTF-8 are refused', async () => {
  const bad = Buffer.concat([
    Buffer.from('{"message":{"text":"'),
    Buffer.from([0xff, 0xfe, 0xc0]),
    Buffer.from('"}}'),
  ]);
  expect(await post(bad)).toMatchObject({ status: 400, body: { code: 4 } });
});

test('protocol 3 __proto__ and constructor do no harm', async () => {
  expect(await post('{"message":{"text":"x","__proto__":{"polluted":1}}}')).toMatchObject({ status: 400 });
  expect(await post('{"__proto__":{"message":{"text":"x"}}}')).toMatchObject({ status: 400 });
  expect(await post('{"message":{"text":"x","constructor":{"prototype":{"polluted":1}}}}')).toMatchObject({
    status: 201,
  });
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test('protocol 3 JSON that nests without end is refused', async () => {
  const deep = `{"message":{"text":"x","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`;
  expect(await post(deep)).toMatchObject({ status: 400, body: { code: 4 } });
});

test.each([
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
])('protocol 3 a body of type %s is refused', async (type) => {
  expect(await post('{"message":{"text":"x"}}', messageUrl, { 'content-type': type })).toMatchObject({
    status: 400,
  });
});

const rawRequest = (target: Buffer | string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connectTcp(Number(new URL(chat.url).port), '127.0.0.1', () => {
      const headers = `Host: x\r\nConnection: close\r\nx-api-key: ${chat.apiKey}\r\nauthorization: ${token}\r\n\r\n`;
      socket.write(
        Buffer.concat([Buffer.from('GET '), Buffer.from(target), Buffer.from(` HTTP/1.1\r\n${headers}`)]),
      );
    });
    let text = '';
    socket.on('data', (data) => {
      text += String(data);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text.split('\r\n')[0] ?? ''));
  });

test.each<[string, Buffer | string]>([
  ['a colon', '/api/messages/a%3Ab'],
  ['a NUL', '/api/messages/a%00b'],
  ['broken UTF-8', '/api/messages/%ff%fe'],
  ['half an escape', '/api/messages/%e0%a4%a'],
  ['a surrogate', '/api/messages/%ED%A0%80'],
  ['raw bytes', Buffer.concat([Buffer.from('/api/messages/'), Buffer.from([0xff, 0xfe])])],
  ['a slash', '/api/messages/..%2f..%2fetc%2fpasswd'],
  ['65 letters', `/api/messages/${'x'.repeat(65)}`],
  ['5 000 letters', `/api/messages/${'x'.repeat(5000)}`],
  ['NUL in a list of ids', '/api/channels/messaging/room/messages?ids=%00'],
  ['an unknown query', '/api/unread?nonsense=1'],
  ['a query twice', '/api/unread?user_id=ana&user_id=bo'],
  ['a query with brackets', '/api/messages/x/replies?limit[]=1'],
  ['a limit of zero', '/api/messages/x/replies?limit=0'],
])('protocol 1 an id or a query with %s is refused or not found, never a fault', async (_title, target) => {
  expect(await rawRequest(target)).toMatch(/^HTTP\/1\.1 4\d\d /);
});

test('protocol 3 an unknown call is not found, in the shape of every error', async () => {
  const raw = await chat.as('ana');

  const reply = await raw.raw('POST', '/nowhere', { body: '{}' });
  const method = await raw.raw('PUT', '/unread', { body: '{}' });

  const shape = {
    code: 16,
    name: 'NotFound',
    status: 404,
    message: expect.any(String),
    request_id: expect.any(String),
  };
  expect(reply).toMatchObject({ status: 404, body: shape });
  expect(method).toMatchObject({ status: 404, body: shape });
});

test('protocol 1 a position in time that no calendar has is refused', async () => {
  const ana = await chat.as('ana');
  for (const created_at_around of ['yesterday', '2026-13-01T00:00:00Z', '2026-01-01'])
    expect(
      await ana.refused('POST /channels/{type}/{id}/query', {
        path,
        body: { messages: { created_at_around } },
      }),
    ).toMatchObject({ code: 4 });
});

test.each<[method: string, url: string, field: string]>([
  ['POST', '/messages/a%20b/commit', 'id'],
  ['GET', '/tasks/a%20b', 'id'],
  ['GET', '/polls/p/options/a%20b', 'option_id'],
  ['POST', '/users/a%20b/deactivate', 'id'],
  ['GET', '/channeltypes/a%20b', 'name'],
  ['DELETE', '/messages/m/reaction/a%20b', 'type'],
  ['POST', '/messages/%20/commit', 'id'],
])('protocol 3 a wrong parameter of the path is named in the message: %s %s', async (method, url, field) => {
  const server = await chat.as();
  const init = method === 'POST' ? { body: '{}' } : {};

  const { status, body } = await server.raw(method, url, init);

  expect([status, (body as { message: string }).message]).toEqual([
    400,
    expect.stringMatching(new RegExp(`^${field}: must be`)),
  ]);
});

test('protocol 3 a refusal by the rules of a feature names the field in the message as well', async () => {
  const { body } = await post('{"message":{"text":"x","parent_id":"no-such"}}');

  expect(body.message).toBe('message.parent_id: names no message of this channel');
});

import { type IncomingHttpHeaders, request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let token: string;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  token = await chat.token('ana');
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const ana = await chat.as('ana');
  for (let index = 0; index < 10; index++)
    await ana.call('POST /channels/{type}/{id}/message', {
      path: { type: 'messaging', id: 'room' },
      body: { message: { text: `Grüße ${index} 🎉` } },
    });
});
afterAll(() => chat.stop());

type Reply = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };

/** The answer as it comes over the wire: `fetch` would unpack it. */
const ask = (path: string, options: { method?: string; body?: string; encoding?: string }): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(`${chat.url}${path}`, {
      method: options.method ?? 'POST',
      headers: {
        'x-api-key': chat.apiKey,
        authorization: token,
        'content-type': 'application/json',
        ...(options.encoding === undefined ? {} : { 'accept-encoding': options.encoding }),
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
          bytes: Buffer.concat(parts),
        }),
      );
    });
    sent.end(options.body);
  });

const page = (encoding?: string) =>
  ask('/api/channels/messaging/room/query', {
    body: JSON.stringify({ messages: { limit: 10 } }),
    ...(encoding === undefined ? {} : { encoding }),
  });
const textsOf = (bytes: Buffer) =>
  (JSON.parse(bytes.toString('utf8')) as { messages: { text: string }[] }).messages.map(({ text }) => text);

test.each([
  ['br', brotliDecompressSync],
  ['gzip', gunzipSync],
] as const)('protocol 1 a reply over 1 kB comes as %s to who asks for it', async (encoding, unpack) => {
  const plain = await page();
  const packed = await page(encoding);

  expect(packed.headers['content-encoding']).toBe(encoding);
  expect(packed.headers['content-length']).toBe(String(packed.bytes.length));
  expect(packed.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3);
  expect(textsOf(unpack(packed.bytes))).toEqual(textsOf(plain.bytes));
});

test('protocol 1 a caller without accept-encoding gets plain text, and caches keep the two apart', async () => {
  const plain = await page();
  const refused = await page('gzip;q=0, br;q=0');

  for (const reply of [plain, refused]) {
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(textsOf(reply.bytes)).toHaveLength(10);
    expect(reply.headers.vary).toMatch(/accept-encoding/);
  }
});

test('protocol 1 small replies and errors are sent as they are', async () => {
  const unread = await ask('/api/nothing', { method: 'GET', encoding: 'br, gzip' });

  expect(unread.status).toBe(404);
  expect(unread.headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(unread.bytes.toString('utf8'))).toMatchObject({ name: 'NotFound' });
});

test('protocol 1 the reply to HEAD has the headers and no bytes', async () => {
  const reply = await ask('/api/openapi.json', { method: 'HEAD', encoding: 'br' });

  expect(reply.status).toBe(200);
  expect(reply.headers['content-encoding']).toBeUndefined();
  expect(reply.bytes).toHaveLength(0);
});

test('protocol 1 a compressed document and its text have one weak etag, and are not sent twice', async () => {
  const [plain, packed] = [
    await ask('/api/openapi.json', { method: 'GET' }),
    await ask('/api/openapi.json', { method: 'GET', encoding: 'gzip' }),
  ];

  expect(packed.headers['content-encoding']).toBe('gzip');
  expect(packed.headers.etag).toMatch(/^W\//);
  expect(packed.headers.etag).toBe(plain.headers.etag);
  expect(packed.headers.vary).toMatch(/accept-encoding/);
});

test('protocol 1 many compressed replies do not hold back a small one', async () => {
  const many = Promise.all(
    Array.from({ length: 40 }, () => ask('/api/openapi.json', { method: 'GET', encoding: 'br' })),
  );
  const [small, large] = [await ask('/healthz', { method: 'GET' }), await many];

  expect(small.status).toBe(200);
  expect(large.every(({ headers }) => headers['content-encoding'] === 'br')).toBe(true);
});

import { randomBytes } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createTestChat, createTestClock, signToken, type TestChat, until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { filesIn, storedFiles, uploaderOf } from './upload-support.ts';

const uploads = {
  fileBytes: 4_000_000,
  userBytes: 1_000_000,
  filesPerMessage: 10,
  imagePixels: 1e6,
  imageSeconds: 60,
  blocked: [],
  orphanHours: 24,
};
const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

type Upload = { socket: Socket; answer: () => string; send: (bytes: Buffer) => void };

/** An upload that does not say how long it is and does not end. */
const begin = async (chat: TestChat, userId: string): Promise<Upload> => {
  const url = new URL(chat.url);
  const token = await chat.token(userId);
  const socket = connect(Number(url.port), url.hostname);
  let answer = '';
  socket.on('data', (data) => {
    answer += data;
  });
  socket.on('error', () => undefined);
  const lines = [
    'POST /api/uploads/file HTTP/1.1',
    'host: x',
    `x-api-key: ${chat.apiKey}`,
    `authorization: ${token}`,
    'content-type: multipart/form-data; boundary=b',
    'transfer-encoding: chunked',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const send = (bytes: Buffer) => socket.write(chunk(bytes));
  send(Buffer.from(head));
  return { socket, answer: () => answer, send };
};

const bytesBelow = async (folder: string): Promise<number> => {
  let sum = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    if (entry.isFile())
      sum += (await stat(join(entry.parentPath, entry.name)).catch(() => undefined))?.size ?? 0;
  return sum;
};
/** Uploads that the server has begun to receive. */
const receiving = async (chat: TestChat): Promise<number> =>
  (
    await chat.server.kernel.pools.pool.query<{ n: number }>(
      "select count(*)::int as n from files where state = 'receiving'",
    )
  ).rows[0]?.n ?? -1;

test('A1 uploads under way count in what a person may store: a stream ends where the room does, and gives it back', async () => {
  await using chat = await createTestChat({ users: ['ana'], config: { uploads } });
  const ana = await uploaderOf(chat, 'ana');
  const sizes: number[] = [];
  const attacks: Upload[] = [];
  for (let n = 0; n < 8; n++) {
    const upload = await begin(chat, 'ana');
    attacks.push(upload);
    upload.send(n % 2 === 0 ? randomBytes(2_700_000) : Buffer.concat([png, randomBytes(2_700_000)]));
  }
  await until(async () => {
    sizes.push(await bytesBelow(chat.filesDir));
    return attacks.every(({ answer }) => answer().includes('\r\n\r\n'));
  }, 'an answer to each');

  for (const { answer } of attacks) expect(answer()).toMatch(/^HTTP\/1.1 413 .*"PayloadTooLarge"/s);
  expect(Math.max(...sizes)).toBeLessThan(1_100_000);
  for (const { socket } of attacks) socket.destroy();
  await until(
    async () => (await storedFiles(chat)) === 0 && (await filesIn(chat.filesDir)).length === 0,
    'nothing left',
  );
  expect((await ana.upload('/uploads/file', randomBytes(990_000))).status).toBe(201);
});

test('A1 a person has ten uploads under way at most; others and the server have their own', async () => {
  await using chat = await createTestChat({
    users: ['ana', 'bo'],
    config: { uploads: { ...uploads, userBytes: 0 } },
  });
  const [ana, bo] = [await uploaderOf(chat, 'ana'), await uploaderOf(chat, 'bo')];
  const held: Upload[] = [];
  for (let n = 0; n < 10; n++) held.push(await begin(chat, 'ana'));
  await until(async () => (await receiving(chat)) === 10, 'ten under way');

  const refused = await ana.upload('/uploads/file', 'x');
  const others = await bo.upload('/uploads/file', 'x');
  const form = new FormData();
  form.append('file', new Blob(['x']), 'a.txt');
  const authorization = await signToken(chat.secret, { server: true });
  const headers = { 'x-api-key': chat.apiKey, authorization };
  const byServer = await fetch(`${chat.baseUrl}/uploads/file?user_id=ana`, {
    ...{ method: 'POST', headers, body: form },
  });

  expect([refused.status, refused.body.name, refused.body.message]).toEqual([
    429,
    'RateLimited',
    'A person may have 10 uploads under way: wait for one to end',
  ]);
  expect([others.status, byServer.status]).toEqual([201, 201]);
  held[0]?.socket.destroy();
  await until(async () => (await receiving(chat)) === 9, 'one to end');
  await until(async () => (await ana.upload('/uploads/file', 'x')).status === 201, 'its place');
  for (const { socket } of held) socket.destroy();
});

test('A1 an upload has a time in all: who sends a byte now and then is answered, and then cut off', async () => {
  const clock = createTestClock();
  await using chat = await createTestChat({ users: ['ana'], config: { uploads }, overrides: { clock } });
  const upload = await begin(chat, 'ana');
  const isClosed = new Promise((resolve) => upload.socket.once('close', resolve));
  upload.send(randomBytes(1000));
  await until(async () => (await receiving(chat)) === 1, 'the upload');

  clock.advance(9 * 60_000);
  upload.send(randomBytes(1000));
  expect(upload.answer()).toBe('');
  clock.advance(60_000);
  await until(() => upload.answer().includes('must arrive within 10 minutes'), 'the answer');

  expect(upload.answer()).toMatch(/^HTTP\/1.1 400 /);
  await until(async () => (await storedFiles(chat)) === 0, 'nothing left');
  clock.advance(60_000);
  await isClosed;
});

test('A1 uploads that are broken off leave no error in the log', async () => {
  await using chat = await createTestChat({ users: ['ana'], config: { uploads, logLevel: 'error' } });
  const errors: unknown[] = [];
  const { log } = chat.server.app;
  log.error = ((...given: unknown[]) => {
    errors.push(given);
  }) as typeof log.error;
  const held: Upload[] = [];
  for (let n = 0; n < 10; n++) {
    const upload = await begin(chat, 'ana');
    upload.send(n % 2 === 0 ? randomBytes(20_000) : Buffer.concat([png, randomBytes(20_000)]));
    held.push(upload);
  }
  await until(async () => (await receiving(chat)) === 10, 'all under way');

  for (const { socket } of held) socket.resetAndDestroy();
  await until(async () => (await storedFiles(chat)) === 0, 'nothing left');

  expect(errors).toEqual([]);
});

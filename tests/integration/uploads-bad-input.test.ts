import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { deflateRawSync, deflateSync } from 'node:zlib';
import { type Storage, StorageError } from '@parley/server';
import { createTestChat, type TestChat } from '@parley/testkit';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { filesIn, load, storedFiles, type Uploader, uploaderOf } from './upload-support.ts';

const mebibyte = 1024 * 1024;
let chat: TestChat;
let ana: Uploader;

beforeAll(async () => {
  const blocked = ['application/x-msdownload', '.exe'];
  const uploads = {
    fileBytes: 2 * mebibyte,
    userBytes: 0,
    filesPerMessage: 3,
    imagePixels: 1_000_000,
    imageSeconds: 60,
    blocked,
    orphanHours: 24,
  };
  chat = await createTestChat({ users: ['ana', 'bo'], config: { uploads } });
  ana = await uploaderOf(chat, 'ana');
  await ana.caller.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'bad' },
    body: { data: { members: ['ana'] } },
  });
});
afterAll(() => chat.stop());

/** Holds that nothing is left of an upload that was refused. */
const expectNoTrace = async (run: () => Promise<unknown>) => {
  const before = [await storedFiles(chat), (await filesIn(chat.filesDir)).length];
  await run();
  await vi.waitFor(async () =>
    expect([await storedFiles(chat), (await filesIn(chat.filesDir)).length]).toEqual(before),
  );
};

const details = (sent: { status: number; body: { name?: string; details?: { path: string }[] } }) => [
  sent.status,
  sent.body.name,
  sent.body.details?.[0]?.path,
];

/** Bytes as they are, without a client that puts them right. */
const raw = (head: string[], body: Buffer, cut = false): Promise<string> =>
  new Promise((resolve) => {
    const url = new URL(chat.url);
    const socket = connect(Number(url.port), url.hostname);
    let answer = '';
    socket.on('data', (data) => {
      answer += data;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    const lines = [
      'POST /api/uploads/file HTTP/1.1',
      'host: x',
      `x-api-key: ${chat.apiKey}`,
      `authorization: ${ana.token}`,
    ];
    socket.write(`${[...lines, ...head, 'connection: close'].join('\r\n')}\r\n\r\n`);
    socket.write(body, () => cut && setTimeout(() => socket.destroy(), 50));
  });
const part = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\n\r\n';
const end = '\r\n--b--\r\n';
const formHead = (length: number) => [
  'content-type: multipart/form-data; boundary=b',
  `content-length: ${length}`,
];

test('A1 a file over the limit is refused by name, whether it says so or not', () =>
  expectNoTrace(async () => {
    const said = await ana.upload('/uploads/file', randomBytes(3 * mebibyte));
    const unsaid = await raw(
      ['content-type: multipart/form-data; boundary=b', 'transfer-encoding: chunked'],
      Buffer.concat([
        Buffer.from(`${(part.length + 2.5 * mebibyte + end.length).toString(16)}\r\n${part}`),
        randomBytes(2.5 * mebibyte),
        Buffer.from(`${end}\r\n0\r\n\r\n`),
      ]),
    );

    expect(details(said)).toEqual([413, 'PayloadTooLarge', 'file']);
    expect(unsaid).toContain('"PayloadTooLarge"');
    expect((await ana.upload('/uploads/file?upload_id=exact', randomBytes(2 * mebibyte))).status).toBe(201);
    await ana.caller.call('DELETE /uploads/file', {
      query: { url: (await ana.upload('/uploads/file?upload_id=exact', 'x')).body.file },
    });
  }));

test('A2 a blocked type is refused by its bytes and by its name', () =>
  expectNoTrace(async () => {
    const program = Buffer.concat([Buffer.from('MZ'), randomBytes(500_000)]);
    for (const [content, name] of [
      [program, 'holiday.jpg'],
      ['hello', 'setup.exe'],
      ['hello', 'setup.EXE.'],
    ] as const) {
      const sent = await ana.upload('/uploads/file', content, name);
      expect([sent.status, sent.body.code, sent.body.message]).toEqual([
        403,
        20,
        'The attachment upload was blocked',
      ]);
    }
  }));

test('A1 forms that are none are refused by name', () =>
  expectNoTrace(async () => {
    const body = (fields: Record<string, Blob | string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      return form;
    };
    const refused = async (fields: Record<string, Blob | string>) =>
      details(await ana.send('/uploads/file', body(fields)));

    expect(await refused({})).toEqual([400, 'InputInvalid', 'file']);
    expect(await refused({ cid: 'messaging:bad' })).toEqual([400, 'InputInvalid', 'file']);
    expect(await refused({ other: new Blob(['x']) })).toEqual([400, 'InputInvalid', 'other']);
    expect(await refused({ mood: 'x', file: new Blob(['x']) })).toEqual([400, 'InputInvalid', 'mood']);
    expect(await refused({ file: new Blob(['x']), cid: 'messaging:none' })).toEqual([
      404,
      'NotFound',
      undefined,
    ]);
    expect(await refused({ file: new Blob(['x']), cid: 'no cid' })).toEqual([404, 'NotFound', undefined]);
    const json = await ana.caller.raw('POST', '/uploads/file', { body: '{}' });
    expect(json.status).toBe(400);
    const boundless = await ana.caller.raw('POST', '/uploads/file', {
      body: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    });
    expect(boundless.status).toBe(400);
    const elsewhere = await ana.caller.raw('POST', '/messages/history', {
      body: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });
    expect(elsewhere.body).toMatchObject({ code: 4, details: [{ path: 'content-type' }] });
  }));

test('A1 truncated forms, wrong lengths and broken-off uploads leave nothing', () =>
  expectNoTrace(async () => {
    const content = randomBytes(300_000);
    const open = Buffer.concat([Buffer.from(part), content]);
    const whole = Buffer.concat([open, Buffer.from(end)]);

    expect(await raw(formHead(open.length), open)).toContain('The form ends before its last part does');
    expect(await raw(formHead(20), Buffer.from('--b\r\ncontent-disposi'))).toContain('"InputInvalid"');
    expect(await raw(formHead(part.length), Buffer.from(part))).toContain('"InputInvalid"');
    await raw(formHead(whole.length + 500_000), whole, true);
    await raw(formHead(whole.length), open.subarray(0, 100_000), true);
    const garbage = randomBytes(1000);
    expect(await raw(formHead(1000), garbage)).toContain('"InputInvalid"');
  }));

test('A1 a bomb of an image is refused by its pixels before it is decoded', () =>
  expectNoTrace(async () => {
    const chunk = (type: string, data: Buffer) => {
      const { crc32 } = process.getBuiltinModule('node:zlib');
      const body = Buffer.concat([Buffer.from(type), data]);
      const bytes = Buffer.alloc(body.length + 8);
      bytes.writeUInt32BE(data.length, 0);
      body.copy(bytes, 4);
      bytes.writeUInt32BE(crc32(body), body.length + 4);
      return bytes;
    };
    const size = Buffer.alloc(13);
    size.writeUInt32BE(30_000, 0);
    size.writeUInt32BE(30_000, 4);
    size.set([1, 0, 0, 0, 0], 8);
    const bomb = Buffer.concat([
      Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      chunk('IHDR', size),
      chunk('IDAT', deflateSync(Buffer.alloc(30_000 * 3751))),
      chunk('IEND', Buffer.alloc(0)),
    ]);

    for (const path of ['/uploads/image', '/uploads/file']) {
      const sent = await ana.upload(path, bomb, 'bomb.png');
      expect(details(sent)).toEqual([400, 'InputInvalid', 'file']);
      expect(sent.body.message).toContain('pixels');
    }
  }));

test('A1 a zip bomb is a file like any other: nobody unpacks it', async () => {
  const packed = deflateRawSync(Buffer.alloc(50 * mebibyte));
  const head = Buffer.alloc(30);
  head.write('PK\x03\x04', 'latin1');
  head.writeUInt16LE(8, 8);
  head.writeUInt32LE(packed.length, 18);
  head.writeUInt32LE(50 * mebibyte, 22);

  const { status, body } = await ana.upload('/uploads/file', Buffer.concat([head, packed]), 'bomb.zip');

  expect([status, body.mime_type, body.file_size]).toEqual([201, 'application/zip', packed.length + 30]);
});

test.each([
  ['page.html', '<!doctype html><script>alert(1)</script>', 'text/html'],
  ['page.png', '<html><script>alert(1)</script></html>', 'text/html'],
  ['logo.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'image/svg+xml'],
  ['feed.xml', '<?xml version="1.0"?><?xml-stylesheet href="x"?><a/>', 'application/xml'],
  ['doc.pdf', '%PDF-1.7 /JS (app.alert(1))', 'application/pdf'],
  ['code.js', 'alert(1)', 'text/plain'],
])('A1 %s can never run as a page of the app', async (name, content, type) => {
  const { body } = await ana.upload('/uploads/file', content, name);
  const { headers } = await load(chat, body.file);

  expect(body.mime_type).toBe(type);
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toMatch(/^attachment; /);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toContain('sandbox');
  if (type !== 'image/svg+xml') return;
  expect(details(await ana.upload('/uploads/image', content, name))).toEqual([400, 'InputInvalid', 'file']);
});

test('A1 a picture that is also a page is only a picture afterwards', async () => {
  const picture = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .gif()
    .toBuffer();
  const polyglot = Buffer.concat([picture, Buffer.from('<script>alert(1)</script>PK\x03\x04')]);

  const { body } = await ana.upload('/uploads/image', polyglot, 'x.html');
  const read = await load(chat, body.file);

  expect(read.headers.get('content-type')).toBe('image/gif');
  expect((await read.bytes()).toString()).not.toContain('script');
  const broken = Buffer.concat([
    Buffer.from('\xff\xd8\xff\xe0', 'latin1'),
    Buffer.from('<script>alert(1)</script>'),
  ]);
  expect(details(await ana.upload('/uploads/image', broken, 'x.jpg'))).toEqual([400, 'InputInvalid', 'file']);
  const asFile = await ana.upload('/uploads/file', broken, 'x.jpg');
  expect(asFile.body.mime_type).toBe('application/octet-stream');
});

test('A1 names are labels: no path leads out of the store', async () => {
  for (const name of [
    '../../../etc/passwd',
    '..\\..\\x',
    'a/b/c.txt',
    '%2e%2e%2fx',
    'x'.repeat(5000),
    '',
    '.htaccess',
  ]) {
    const { status, body } = await ana.upload('/uploads/file', 'x', name);
    expect(status).toBe(201);
    expect(body.file).toMatch(/^\/files\/[\w-]{24}\/[^/]+$/);
  }
  expect((await filesIn(chat.filesDir)).every((name) => /^[\w-]{24}(\.thumb)?$/.test(name))).toBe(true);
  for (const path of [
    '/files/../keys.json',
    '/files/%2e%2e%2f%2e%2e%2fetc/passwd',
    `/files/${'a'.repeat(24)}/x`,
    '/files/x/y',
    '/files/a%00b/c',
  ])
    expect((await fetch(`${chat.url}${path}`)).status).toBeGreaterThanOrEqual(400);
});

test('A1 a member who may not write may not upload, and a channel decides who may', async () => {
  const bo = await uploaderOf(chat, 'bo');

  expect((await bo.upload('/channels/messaging/bad/file', 'x')).body.code).toBe(17);
  expect((await bo.upload('/uploads/file', 'x', 'a.txt', { cid: 'messaging:bad' })).body.code).toBe(17);
  const anonymous = await fetch(`${chat.baseUrl}/uploads/file`, {
    method: 'POST',
    headers: { 'x-api-key': chat.apiKey, 'x-auth-type': 'anonymous' },
    body: new FormData(),
  });
  expect(anonymous.status).toBe(403);
});

test('A1 the storage of a person is limited, also by uploads at once', async () => {
  await using small = await createTestChat({
    users: ['ana'],
    config: {
      uploads: {
        fileBytes: mebibyte,
        userBytes: 100_000,
        filesPerMessage: 10,
        imagePixels: 1e6,
        imageSeconds: 60,
        blocked: [],
        orphanHours: 24,
      },
    },
  });
  const uploader = await uploaderOf(small, 'ana');

  const sent = await Promise.all(
    [1, 2, 3, 4].map(() => uploader.upload('/uploads/file', randomBytes(40_000))),
  );

  expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 413, 413]);
  expect(await storedFiles(small)).toBe(2);
  const { body } = sent.find(({ status }) => status === 201) ?? {};
  await uploader.caller.call('DELETE /uploads/file', { query: { url: body?.file ?? '' } });
  expect((await uploader.upload('/uploads/file', randomBytes(40_000))).status).toBe(201);
});

/** A store that takes a part and then fails, and cannot even be tidied while it is away. */
const failingStorage = (): Storage & { isAway: boolean; kept: Set<string> } => ({
  isAway: false,
  kept: new Set(),
  async put(key, source) {
    for await (const chunk of source) {
      this.kept.add(key);
      if (chunk.length > 0) throw new StorageError('no space left', { isFull: !this.isAway });
    }
    return 0;
  },
  async get() {
    throw new StorageError('away');
  },
  async remove(key) {
    if (this.isAway) throw new StorageError('away');
    this.kept.delete(key);
  },
});

test('A1 a full store and one that goes away have clear errors, and nothing is left behind', async () => {
  const storage = failingStorage();
  await using own = await createTestChat({ users: ['ana'], overrides: { storage } });
  const uploader = await uploaderOf(own, 'ana');

  const full = await uploader.upload('/uploads/file', 'x');
  storage.isAway = true;
  const away = await uploader.upload('/uploads/file', 'x');

  expect([full.status, full.body.message]).toEqual([
    500,
    'Error uploading attachment: there is no room for it. Try again later',
  ]);
  expect([away.status, away.body.message]).toEqual([
    500,
    'Error uploading attachment: the store does not answer. Try again later',
  ]);
  expect([storage.kept.size, await storedFiles(own)]).toEqual([1, 1]);
  storage.isAway = false;
  await vi.waitFor(async () => expect([storage.kept.size, await storedFiles(own)]).toEqual([0, 0]), 9000);
});

import { randomBytes } from 'node:crypto';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startS3 } from './s3-server.ts';
import { filesIn, load, signed, storedFiles, type Uploader, uploaderOf } from './upload-support.ts';

/** The same promises on a disk and on an object store. */
describe.each(['disk', 's3'])('on %s', (kind) => {
  let chat: TestChat;
  let s3: Awaited<ReturnType<typeof startS3>> | undefined;
  let ana: Uploader;
  let bo: Uploader;
  let cy: Uploader;
  const cid = 'messaging:files';
  const path = { type: 'messaging', id: 'files' };

  beforeAll(async () => {
    s3 = kind === 's3' ? await startS3() : undefined;
    chat = await createTestChat({
      users: ['ana', 'bo', 'cy'],
      config: s3 ? { storage: s3.storage } : {},
    });
    [ana, bo, cy] = await Promise.all([
      uploaderOf(chat, 'ana'),
      uploaderOf(chat, 'bo'),
      uploaderOf(chat, 'cy'),
    ]);
    await ana.caller.call('POST /channels/{type}/{id}/query', {
      path,
      body: { data: { members: ['ana', 'bo'] } },
    });
  });
  afterAll(async () => {
    await chat.stop();
    await s3?.stop();
  });

  const onStore = async () =>
    (await filesIn(s3?.directory ?? chat.filesDir)).filter((name) => !name.includes('metadata'));

  test('A1 a file is stored as it is and read back', async () => {
    const content = randomBytes(12_345_678);

    const { status, body } = await ana.upload('/uploads/file', content, 'Räport (1).bin', { cid });
    const url = (await signed(ana, body.file)) ?? '';
    const read = await load(chat, url);

    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Räport (1).bin',
      mime_type: 'application/octet-stream',
      file_size: 12_345_678,
    });
    expect(Buffer.from(await read.arrayBuffer()).equals(content)).toBe(true);
    expect(read.headers.get('content-disposition')).toBe(
      `attachment; filename="R_port (1).bin"; filename*=UTF-8''R%C3%A4port%20%281%29.bin`,
    );
  });

  test('A1 an empty file is a file', async () => {
    const { status, body } = await ana.upload('/uploads/file', '', 'empty.txt');

    expect([status, body.file_size]).toEqual([201, 0]);
    expect(await (await load(chat, body.file)).text()).toBe('');
  });

  test('A1 the same upload id again gives what was stored, with 200', async () => {
    const before = await storedFiles(chat);

    const first = await ana.upload('/uploads/file?upload_id=once', 'hello', 'a.txt');
    const again = await ana.upload('/uploads/file?upload_id=once', 'hello', 'a.txt');
    const other = await bo.upload('/uploads/file?upload_id=once', 'hello', 'a.txt');

    expect([first.status, again.status, other.status]).toEqual([201, 200, 201]);
    expect(again.body).toEqual(first.body);
    expect(other.body.file).not.toBe(first.body.file);
    expect(await storedFiles(chat)).toBe(before + 2);
  });

  test('A1 two uploads under one id at once leave one file', async () => {
    const before = await storedFiles(chat);

    const sent = await Promise.all(
      [1, 2, 3].map(() => ana.upload('/uploads/file?upload_id=race', randomBytes(200_000), 'a.bin')),
    );

    expect(new Set(sent.map(({ body }) => body.file)).size).toBe(1);
    expect(await storedFiles(chat)).toBe(before + 1);
  });

  test('A1 parts of a file are read by range', async () => {
    const { body } = await ana.upload('/uploads/file', '0123456789', 'digits.txt');
    const range = async (header: string, more: Record<string, string> = {}) => {
      const answer = await load(chat, body.file, { range: header, ...more });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    const whole = await load(chat, body.file);
    const etag = whole.headers.get('etag') ?? '';

    expect(whole.headers.get('accept-ranges')).toBe('bytes');
    expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
    expect(await range('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await range('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
    expect(await range('bytes=0-99')).toEqual([206, 'bytes 0-9/10', '0123456789']);
    expect((await range('bytes=10-'))[0]).toBe(416);
    expect(await range('bytes=0-1,4-5')).toEqual([200, null, '0123456789']);
    expect(await range('bytes=0-1', { 'if-range': etag })).toEqual([206, 'bytes 0-1/10', '01']);
    expect(await range('bytes=0-1', { 'if-range': '"other"' })).toEqual([200, null, '0123456789']);
    expect((await load(chat, body.file, { 'if-none-match': etag })).status).toBe(304);
  });

  test('A1 a file of a channel is read by its members alone, by a URL that ends', async () => {
    const { body } = await ana.upload('/channels/messaging/files/file', 'secret', 'plan.txt');
    await ana.caller.call('POST /channels/{type}/{id}/message', {
      path,
      body: { message: { attachments: [{ type: 'file', asset_url: body.file }] } },
    });

    const bare = await load(chat, body.file);
    const url = (await signed(bo, body.file)) ?? '';

    expect(bare.status).toBe(403);
    expect(await (await load(chat, url)).text()).toBe('secret');
    expect(await signed(cy, body.file)).toBeUndefined();
    const forged = url.replace(/signature=./, (first) =>
      first.endsWith('-') ? 'signature=_' : 'signature=-',
    );
    expect((await load(chat, forged)).status).toBe(403);
    expect((await load(chat, url.replace(/expires=\d/, 'expires=9'))).status).toBe(403);
  });

  test('A3 a file is deleted by its url, by its owner or the server alone', async () => {
    const { body } = await ana.upload('/uploads/file', 'gone soon', 'a.txt');
    const before = (await onStore()).length;
    const query = { url: body.file };

    const refusal = await bo.caller.refused('DELETE /uploads/file', { query });
    await ana.caller.call('DELETE /uploads/file', { query });
    const again = await ana.caller.refused('DELETE /uploads/image', { query });

    expect([refusal.code, again.code]).toEqual([17, 16]);
    expect((await load(chat, body.file)).status).toBe(404);
    expect((await onStore()).length).toBeLessThan(before);
  });

  test('A3 a hard-deleted message takes its files with it, a softly deleted one does not', async () => {
    const [kept, lost] = await Promise.all(
      ['kept', 'lost'].map((text) => ana.upload('/uploads/file', text, 'a.txt')),
    );
    const send = async (url = '') =>
      (
        await ana.caller.call('POST /channels/{type}/{id}/message', {
          path,
          body: { message: { attachments: [{ type: 'file', asset_url: url }] } },
        })
      ).message.id;
    const [soft, hard] = [await send(kept?.body.file), await send(lost?.body.file)];

    await ana.caller.call('DELETE /messages/{id}', { path: { id: soft } });
    await ana.caller.call('DELETE /messages/{id}', { path: { id: hard }, query: { hard: 'true' } });

    const as = async (url = '') =>
      (await load(chat, url, { 'x-api-key': chat.apiKey, authorization: ana.token ?? '' })).status;
    await vi.waitFor(async () => expect(await as(lost?.body.file)).toBe(404), 9000);
    expect(await as(kept?.body.file)).toBe(200);
    expect(await signed(bo, kept?.body.file ?? '')).toBeUndefined();
  });
});

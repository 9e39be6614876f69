import { limits } from '@parley/protocol';
import { createTestChat, type TestChat } from '@parley/testkit';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { filesIn, uploaderOf } from './upload-support.ts';

const uploads = {
  fileBytes: limits.uploadBytes,
  userBytes: 0,
  filesPerMessage: 10,
  imagePixels: 50_000_000,
  imageSeconds: 2,
  blocked: [],
  orphanHours: 24,
};

let chat: TestChat;
let hostile: Uint8Array<ArrayBuffer>;
let small: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'mallory'], config: { uploads } });
  const plain = (side: number) =>
    sharp({ create: { width: side, height: side, channels: 3, background: 'red' } });
  // A few kilobytes that take many seconds of a processor to be made anew.
  hostile = new Uint8Array(await plain(7000).avif({ effort: 0, quality: 10 }).toBuffer());
  small = new Uint8Array(await plain(8).png().toBuffer());
});
afterAll(() => chat.stop());

test('A1 an image that takes too long is ended; meanwhile the images of others are made', async () => {
  const mallory = await uploaderOf(chat, 'mallory');
  const ana = await uploaderOf(chat, 'ana');
  expect(hostile.length).toBeLessThan(10_000);
  const order: string[] = [];
  const note = <T>(name: string, promise: Promise<T>): Promise<T> =>
    promise.finally(() => {
      order.push(name);
    });

  const attacks = Promise.all(
    ['a', 'b', 'c'].map((name) => note('mallory', mallory.upload('/uploads/image', hostile, `${name}.avif`))),
  );
  const good = await note('ana', ana.upload('/uploads/image', small, 'small.png'));
  const refused = await attacks;
  const kept = await mallory.upload('/uploads/file', hostile, 'd.avif');
  const after = await mallory.upload('/uploads/image', small, 'small.png');

  expect(good.status).toBe(201);
  expect(refused.map(({ status, body }) => [status, body.details?.[0]?.message])).toEqual(
    Array.from({ length: 3 }, () => [400, 'takes too long to read']),
  );
  // One of the three at most was ended before: each takes its whole limit, one after the other.
  expect(order.indexOf('ana')).toBeLessThanOrEqual(1);
  expect(kept).toMatchObject({ status: 201, body: { mime_type: 'application/octet-stream' } });
  expect(after.status).toBe(201);
  const root = chat.server.kernel.config.storage;
  expect(root.kind === 'disk' ? await filesIn(`${root.root}/conversions`) : []).toEqual([]);
});

import { createTestChat, type TestChat } from '@parley/testkit';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { load, type Uploader, uploaderOf } from './upload-support.ts';

let chat: TestChat;
let ana: Uploader;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana'] });
  ana = await uploaderOf(chat, 'ana');
});
afterAll(() => chat.stop());

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });
const read = async (url = '') => Buffer.from(await (await load(chat, url)).arrayBuffer());

test('A1 an image is turned upright and loses its place, camera and comments', async () => {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 0/1',
  };
  const photo = await picture(1200, 800)
    .jpeg()
    .withMetadata({ orientation: 6, exif: { IFD0: { Make: 'Secret Camera' }, IFD3: place } })
    .toBuffer();
  expect(photo.includes('Secret Camera')).toBe(true);

  const { status, body } = await ana.upload('/uploads/image', photo, 'IMG_1.jpg');
  const stored = await read(body.file);
  const metadata = await sharp(stored).metadata();

  expect(status).toBe(201);
  expect(body).toMatchObject({ mime_type: 'image/jpeg', width: 800, height: 1200, file_size: stored.length });
  expect([metadata.width, metadata.height, metadata.exif, metadata.orientation]).toEqual([
    800,
    1200,
    undefined,
    undefined,
  ]);
  expect(stored.includes('Secret Camera')).toBe(false);
});

test('A1 an image has a thumbnail within 480 pixels', async () => {
  const { body } = await ana.upload('/uploads/image', await picture(2000, 1000).png().toBuffer(), 'wide.png');
  const answer = await load(chat, body.thumb_url ?? '');
  const metadata = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();

  expect(answer.headers.get('content-type')).toBe('image/webp');
  expect([metadata.width, metadata.height, metadata.format]).toEqual([480, 240, 'webp']);
});

test.each(['png', 'webp', 'gif', 'avif'] as const)('A1 a %s stays what it is', async (format) => {
  const { body } = await ana.upload(
    '/uploads/file',
    await picture(64, 48)[format]().toBuffer(),
    `x.${format}`,
  );

  expect(body).toMatchObject({ mime_type: `image/${format}`, width: 64, height: 48 });
  expect((await load(chat, body.file)).headers.get('content-disposition')).toMatch(/^inline; /);
});

test('A1 a moving gif keeps moving', async () => {
  const frames = await Promise.all(
    ['red', 'blue', 'lime'].map((background) =>
      sharp({ create: { width: 20, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  const moving = await sharp(frames, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer();

  const { body } = await ana.upload('/uploads/image', moving, 'a.gif');

  expect((await sharp(await read(body.file)).metadata()).pages).toBe(3);
  expect(body).toMatchObject({ width: 20, height: 20 });
});

test('A1 sound and film say how long they are', async () => {
  const wav = Buffer.alloc(44 + 32_000);
  wav.write('RIFF', 0, 'latin1');
  wav.write('WAVEfmt ', 8, 'latin1');
  wav.writeUInt32LE(16, 16);
  wav.writeUInt32LE(16_000, 28);
  wav.write('data', 36, 'latin1');
  wav.writeUInt32LE(32_000, 40);

  const { body } = await ana.upload('/uploads/file', wav, 'note.wav');

  expect(body).toMatchObject({ mime_type: 'audio/wav', duration: 2 });
});

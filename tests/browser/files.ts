import { crc32, deflateSync } from 'node:zlib';
import type { Attachment, Upload } from '@parley/protocol';
import { expect, type Locator, type Page } from '@playwright/test';
import { asServer } from './people.ts';

const origin = () => `http://127.0.0.1:${process.env.PARLEY_BROWSER_PORT}`;

const chunk = (name: string, content: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'ascii'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
};

/** A picture of one colour. */
export const png = (width: number, height: number, grey = 120): Buffer => {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, grey)]);
  const lines = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)));
  const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([start, chunk('IHDR', head), chunk('IDAT', lines), chunk('IEND', Buffer.alloc(0))]);
};

/** A tone that grows louder. */
export const wav = (seconds: number): Buffer => {
  const count = seconds * 8000;
  const bytes = Buffer.alloc(44 + count);
  bytes.write('RIFF\0\0\0\0WAVEfmt ', 0, 'latin1');
  bytes.writeUInt32LE(36 + count, 4);
  bytes.writeUInt32LE(16, 16);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 1],
    [34, 8],
  ] as const)
    bytes.writeUInt16LE(value, at);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(8000, 28);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(count, 40);
  for (let at = 0; at < count; at += 1)
    bytes[44 + at] = 128 + Math.round(100 * (at / count) * Math.sin((at / 8000) * 440 * 6.28));
  return bytes;
};

/** A second of film, as this browser makes it. */
export const film = async (page: Page): Promise<Buffer> => {
  const text = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 320, height: 180 });
    const pen = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const done = new Promise((resolve) => {
      recorder.onstop = resolve;
    });
    recorder.start();
    for (let turn = 0; turn < 20; turn += 1) {
      if (pen) pen.fillStyle = `hsl(${turn * 18} 60% 50%)`;
      pen?.fillRect(0, 0, 320, 180);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    recorder.stop();
    await done;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(text, 'base64');
};

const tokenOf = async (userId: string): Promise<string> => {
  const reply = await fetch(`${origin()}/api/dev/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...key() },
    body: JSON.stringify({ user_id: userId }),
  });
  return ((await reply.json()) as { access_token: string }).access_token;
};
const key = () => ({ 'x-api-key': asServer().http.wire.apiKey });

/** Somebody's calls by plain HTTP. */
export const callAs = async (userId: string, method: string, path: string, body?: object | FormData) => {
  const isForm = body instanceof FormData;
  const headers = { ...key(), authorization: await tokenOf(userId) };
  return fetch(`${origin()}/api${path}`, {
    method,
    headers: isForm || !body ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
};

/** A file that ana has put into a channel. */
export const give = async (cid: string, name: string, bytes: Buffer): Promise<Upload> => {
  const form = new FormData();
  form.append('cid', cid);
  form.append('file', new Blob([new Uint8Array(bytes)]), name);
  const reply = await callAs('ana', 'POST', '/uploads/file', form);
  if (!reply.ok) throw new Error(await reply.text());
  return (await reply.json()) as Upload;
};

export const sign = async (userId: string, url: string): Promise<string | undefined> => {
  const reply = await callAs(userId, 'POST', '/uploads/sign', { urls: [url] });
  const { urls } = (await reply.json()) as { urls: Record<string, string> };
  return urls[url] && `${origin()}${urls[url]}`;
};

export const imageOf = ({ file, thumb_url, name }: Upload): Attachment => ({
  type: 'image',
  title: name,
  image_url: file,
  ...(thumb_url && { thumb_url }),
});

/** A channel with ana and bo, and ways to put things into it. */
export const filesIn = async (id: string, name: string) => {
  const server = asServer();
  const cid = `team:${id}`;
  await server.channels.create('team', id, { name, members: ['ana', 'bo'], created_by_id: 'ana' });
  const giveHere = (fileName: string, bytes: Buffer) => give(cid, fileName, bytes);
  const send = (text: string, attachments: object[]) =>
    server.messages.send(cid, 'ana', { text, attachments: attachments as Attachment[] });
  return {
    cid,
    give: giveHere,
    send,
    sendImages: async (text: string, ...sizes: (readonly [number, number])[]) => {
      const images: Attachment[] = [];
      for (const [index, [width, height]] of sizes.entries())
        images.push(
          imageOf(await giveHere(`${text || id} ${index + 1}.png`, png(width, height, 60 + index * 24))),
        );
      return send(text, images);
    },
    sendFile: async (text: string, fileName: string, bytes: Buffer, more: object = {}) => {
      const stored = await giveHere(fileName, bytes);
      await send(text, [{ type: 'file', title: stored.name, asset_url: stored.file, ...more }]);
      return stored;
    },
  };
};
export type Files = Awaited<ReturnType<typeof filesIn>>;

/** The picture has come and was decoded. */
export const loaded = (image: Locator) =>
  expect
    .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
    .toBeGreaterThan(0);

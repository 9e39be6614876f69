import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { startServer } from '@parley/server';
import { createTestChat, until } from '@parley/testkit';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { filesIn, load, uploaderOf } from './upload-support.ts';

const readOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
};

/** The decoders that servers of this process started. A plain Linux has no `ps`, and other systems have no `/proc`. */
const decoderIds = (): number[] => {
  const isDecoder = (line: string) => line.includes('image-process.ts');
  if (process.platform !== 'linux')
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => isDecoder(line) && line.trim().split(/\s+/)[1] === String(process.pid))
      .map((line) => Number.parseInt(line, 10));
  return readdirSync('/proc')
    .filter((id) => isDecoder(readOf(`/proc/${id}/cmdline`)))
    .filter((id) => readOf(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ')[1] === String(process.pid))
    .map(Number);
};

test('A1 a stop while a picture is made leaves nothing of it, and its repeat is made anew without its place', async () => {
  const side = 60;
  const png = await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .withExif({ IFD0: { Copyright: 'taken at home' } })
    .png()
    .toBuffer();
  const chat = await createTestChat({ users: ['ana'] });
  const ana = await uploaderOf(chat, 'ana');
  const path = '/uploads/file?upload_id=one';
  await ana.upload('/uploads/file', png, 'first.png');
  const before = await filesIn(chat.filesDir);

  // The decoder does not answer any more.
  for (const id of decoderIds()) process.kill(id, 'SIGSTOP');
  const cut = ana.upload(path, png, 'home.png').then(
    ({ status }) => status,
    () => 'cut off',
  );
  await until(async () => (await filesIn(chat.filesDir)).includes('given'), 'the bytes');
  await chat.server.stop();

  expect([503, 'cut off']).toContain(await cut);
  expect(await filesIn(chat.filesDir)).toEqual(before);
  expect(decoderIds()).toEqual([]);

  const again = await startServer({
    ...chat.server.kernel.config,
    port: Number(new URL(chat.url).port),
  });
  const { status, body } = await ana.upload(path, png, 'home.png');
  const served = await load(chat, body.file);
  const bytes = Buffer.from(await served.arrayBuffer());
  await again.stop();
  await chat.stop();

  expect([status, body.mime_type]).toEqual([201, 'image/png']);
  expect([served.status, bytes.includes('taken at home')]).toEqual([200, false]);
});

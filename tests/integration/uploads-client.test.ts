import { fileUrls, selectSendRefusal, uploads as uploadsFeature } from '@parley/client/attachments';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { load, storedFiles } from './upload-support.ts';

let chat: TestChat;
const path = { type: 'messaging', id: 'files' };
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  const ana = await chat.as('ana');
  await ana.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
});
afterAll(() => chat.stop());

const file = (name: string, content = name) => new File([content], name, { type: 'text/plain' });

test('A1 files go from the composer to the reader', async () => {
  const [ana, bo] = await Promise.all([chat.connect('ana'), chat.connect('bo')]);
  const uploads = ana.client.feature(uploadsFeature).create({ cid: 'messaging:files' });
  uploads.add([file('one.txt'), file('two.txt')]);
  expect(selectSendRefusal(uploads.get())).toBe('Wait until all attachments have uploaded');
  await vi.waitFor(() => expect(selectSendRefusal(uploads.get())).toBeUndefined());

  const { message } = await ana.client.http.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'here', attachments: uploads.take() } },
  });
  const urls = bo.client.feature(fileUrls);
  const resolved = await Promise.all(
    message.attachments.map(({ asset_url }) => urls.resolve(asset_url ?? '')),
  );
  const texts = await Promise.all(resolved.map(async (url) => (await load(chat, url ?? '')).text()));

  expect(texts).toEqual(['one.txt', 'two.txt']);
  expect(urls.peek(message.attachments[0]?.asset_url ?? '')).toBe(resolved[0]);
  expect(await urls.resolve('https://a.example/x.png')).toBe('https://a.example/x.png');
});

test('A1 a signature can be asked for anew, and of a file that was removed there is none', async () => {
  const { client } = await chat.connect('ana');
  const uploads = client.feature(uploadsFeature).create();
  uploads.add([file('soon gone.txt')]);
  await vi.waitFor(() => expect(selectSendRefusal(uploads.get())).toBeUndefined());
  const [{ asset_url: url = '' } = {}] = uploads.take();
  const urls = client.feature(fileUrls);

  const first = await urls.resolve(url);
  expect(await urls.refresh(url)).toBe(first);
  expect(urls.isRefused(url)).toBe(false);
  await client.http.call('DELETE /uploads/file', { query: { url } });

  expect(await urls.refresh(url)).toBeUndefined();
  expect(urls.isRefused(url)).toBe(true);
});

test('A1 an answer that was lost is asked for again and the file stored once', async () => {
  const { client, faults } = await chat.connect('ana');
  const before = await storedFiles(chat);
  let lost = 0;
  faults.onCall((url) => (url.includes('/uploads/file') && lost++ === 0 ? 'lose' : undefined));
  const uploads = client.feature(uploadsFeature).create();
  uploads.add([file('a.txt')]);

  await vi.waitFor(() => expect(uploads.get().items[0]?.state).toBe('finished'), 9000);
  expect(lost).toBe(2);
  expect(await storedFiles(chat)).toBe(before + 1);
});

test('A1 an upload goes on by itself when the network is back', async () => {
  const { client, faults } = await chat.connect('ana');
  const uploads = client.feature(uploadsFeature).create();
  faults.goOffline();
  uploads.add([file('a.txt')]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(uploads.get().items[0]?.state).toBe('uploading');
  faults.restore();

  await vi.waitFor(() => expect(uploads.get().items[0]?.state).toBe('finished'), 20_000);
});

test('A2 a blocked file and one too large have different errors before and after they are sent', async () => {
  const { client } = await chat.connect('ana');
  const uploads = client.feature(uploadsFeature).create({ maxBytes: 1000 });
  uploads.add([
    file('setup.exe'),
    file('photo.jpg', 'MZ program'),
    file('large.txt', 'x'.repeat(2000)),
    file('fine.txt'),
  ]);

  await vi.waitFor(() => expect(selectSendRefusal(uploads.get())).toBeUndefined());
  expect(uploads.get().items.map(({ state, notice }) => [state, notice])).toEqual([
    ['blocked', 'The attachment upload was blocked'],
    ['blocked', 'The attachment upload was blocked'],
    ['failed', 'Error uploading attachment'],
    ['finished', undefined],
  ]);
  expect(uploads.take()).toHaveLength(1);
});

test('A3 a file taken out of the composer is deleted on the server', async () => {
  const { client } = await chat.connect('ana');
  const before = await storedFiles(chat);
  const uploads = client.feature(uploadsFeature).create();
  uploads.add([file('a.txt')]);
  await vi.waitFor(() => expect(uploads.get().items[0]?.state).toBe('finished'));
  uploads.delete(uploads.get().items[0]?.id ?? '');

  await vi.waitFor(async () => expect(await storedFiles(chat)).toBe(before));
});

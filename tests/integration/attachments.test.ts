import { createTestChat, createTestClock, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { filesIn, load, signed, storedFiles, type Uploader, uploaderOf } from './upload-support.ts';

let chat: TestChat;
let ana: Uploader;
let bo: Uploader;
let cy: Uploader;
const path = { type: 'messaging', id: 'talk' };

const makeChannel = (uploader: Uploader, id: string, members: string[]) =>
  uploader.caller.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id },
    body: { data: { members } },
  });

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  [ana, bo, cy] = await Promise.all([
    uploaderOf(chat, 'ana'),
    uploaderOf(chat, 'bo'),
    uploaderOf(chat, 'cy'),
  ]);
  await makeChannel(ana, 'talk', ['ana', 'bo']);
  await makeChannel(bo, 'other', ['bo', 'cy']);
});
afterAll(() => chat.stop());

const send = (uploader: Uploader, attachments: Record<string, unknown>[], id = 'talk') =>
  uploader.caller.call('POST /channels/{type}/{id}/message', {
    path: { ...path, id },
    body: { message: { attachments } },
  });
const refuse = async (uploader: Uploader, attachments: Record<string, unknown>[]) => {
  const error = await uploader.caller.refused('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { attachments } },
  });
  return [error.code, error.details?.[0]?.path];
};

test('A1 a message carries its files, by their lasting URL and with what the server knows of them', async () => {
  const { body } = await ana.upload('/uploads/file', 'hello', 'a.txt');
  const temporary = await signed(ana, body.file);

  const { message } = await send(ana, [
    { type: 'file', asset_url: temporary, mime_type: 'image/png', file_size: 1, title: 'mine', mood: 'good' },
    { type: 'file', asset_url: new URL(body.file, chat.url).href },
  ]);

  const known = { asset_url: body.file, mime_type: 'text/plain', file_size: 5 };
  expect(message.attachments).toEqual([
    { type: 'file', title: 'mine', mood: 'good', ...known },
    { type: 'file', ...known },
  ]);
  const again = await bo.caller.call('GET /messages/{id}', { path: { id: message.id } });
  expect(again.message.attachments).toEqual(message.attachments);
});

test('A1 at most ten attachments, each within its size, each URL one that a reader may open', async () => {
  const link = { type: 'article', title_link: 'https://a.example' };
  const first = 'message.attachments.0';
  const missing = `/files/${'a'.repeat(24)}/x.txt`;

  await send(
    ana,
    Array.from({ length: 10 }, () => link),
  );
  expect(
    await refuse(
      ana,
      Array.from({ length: 11 }, () => link),
    ),
  ).toEqual([4, 'message.attachments']);
  const cards = Array.from({ length: 4 }, () => ({ ...link, og_scrape_url: 'https://a.example' }));
  const ten = Array.from({ length: 10 }, () => link);
  await send(ana, [...ten, ...cards.slice(1)]);
  expect(await refuse(ana, [...ten, ...cards])).toEqual([4, 'message.attachments']);
  expect(await refuse(ana, [{ type: 'file', note: 'x'.repeat(6000) }])).toEqual([4, first]);
  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.example/x',
    '//a.example/x',
    '/etc/passwd',
    'https://',
    'x',
  ])
    expect(await refuse(ana, [{ image_url: url }]), url).toEqual([4, `${first}.image_url`]);
  expect(await refuse(ana, [{ title_link: 'javascript:alert(1)' }])).toEqual([4, `${first}.title_link`]);
  expect(await refuse(ana, [{ asset_url: missing }])).toEqual([4, `${first}.asset_url`]);
  await send(ana, [{ image_url: 'https://a.example/x.png' }]);
  await send(ana, [{ image_url: `https://a.example${missing}` }]);
});

test("A1 another's file is attached only by who may read it", async () => {
  const { body } = await ana.upload('/channels/messaging/talk/file', 'secret', 'a.txt');
  const attachment = { type: 'file', asset_url: body.file };

  expect(await refuse(bo, [attachment])).toEqual([17, 'message.attachments.0.asset_url']);
  await send(ana, [attachment]);
  await send(bo, [attachment], 'other');
  expect(await signed(cy, body.file)).toBeDefined();
});

test('A1 an edit is held against the same rules, and what was there may stay', async () => {
  const { body } = await bo.upload('/channels/messaging/talk/file', 'x', 'a.txt');
  const { message } = await send(bo, [{ type: 'file', asset_url: body.file }]);
  const stranger = await cy.upload('/channels/messaging/other/file', 'x', 'b.txt');
  const attachments = [{ type: 'file', asset_url: body.file, title: 'renamed' }];

  const edited = await bo.caller.call('PUT /messages/{id}', {
    path: { id: message.id },
    body: { message: { text: 'see', attachments } },
  });
  const refusal = await bo.caller.refused('PATCH /messages/{id}', {
    path: { id: message.id },
    body: { set: { attachments: [{ asset_url: stranger.body.file }] } },
  });

  expect(edited.message.attachments[0]).toMatchObject({ title: 'renamed', asset_url: body.file });
  expect(refusal.code).toBe(17);
});

test('A1 a file is no longer read by who has left, nor when its message is deleted', async () => {
  await makeChannel(ana, 'leave', ['ana', 'cy']);
  const { body } = await ana.upload('/channels/messaging/leave/file', 'x', 'a.txt');
  const { message } = await send(ana, [{ asset_url: body.file }], 'leave');
  expect(await signed(cy, body.file)).toBeDefined();

  await ana.caller.call('POST /channels/{type}/{id}', {
    path: { type: 'messaging', id: 'leave' },
    body: { remove_members: ['cy'] },
  });
  expect(await signed(cy, body.file)).toBeUndefined();
  await ana.caller.call('DELETE /messages/{id}', { path: { id: message.id } });
  expect(await signed(bo, body.file)).toBeUndefined();
});

test('A1 a signed URL is the same for an hour, ends after two at most, and serves from the cache until then', async () => {
  const clock = createTestClock();
  await using own = await createTestChat({ users: ['ana'], overrides: { clock } });
  const uploader = await uploaderOf(own, 'ana');
  await makeChannel(uploader, 'x', ['ana']);
  const { body } = await uploader.upload('/channels/messaging/x/file', 'x', 'a.txt');

  const url = (await signed(uploader, body.file)) ?? '';
  const cache = (await load(own, url)).headers.get('cache-control') ?? '';

  expect(await signed(uploader, body.file)).toBe(url);
  expect(Number(/^private, max-age=(\d+), immutable$/.exec(cache)?.[1])).toBeGreaterThan(3500);
  clock.advance(2 * 3_600_000);
  expect((await load(own, url)).status).toBe(403);
});

test('A3 a file that no message carries is collected after a day; one that a person or a draft uses stays', async () => {
  const clock = createTestClock();
  await using own = await createTestChat({ users: ['ana'], overrides: { clock } });
  const uploader = await uploaderOf(own, 'ana');
  await makeChannel(uploader, 'x', ['ana']);
  const names = ['orphan', 'avatar', 'drafted', 'sent'];
  const [, avatar, drafted, sent] = await Promise.all(
    names.map(async (name) => (await uploader.upload('/uploads/file', name, `${name}.txt`)).body.file),
  );
  await uploader.caller.call('POST /users', { body: { users: { ana: { id: 'ana', image: avatar ?? '' } } } });
  const at = { type: 'messaging', id: 'x' };
  await uploader.caller.call('POST /channels/{type}/{id}/draft', {
    path: at,
    body: { message: { text: '', attachments: [{ asset_url: drafted ?? '' }] } },
  });
  await uploader.caller.call('POST /channels/{type}/{id}/message', {
    path: at,
    body: { message: { attachments: [{ asset_url: sent ?? '' }] } },
  });

  clock.advance(23 * 3_600_000);
  expect(await storedFiles(own)).toBe(4);
  await vi.waitFor(async () => {
    clock.advance(3_600_000);
    expect(await storedFiles(own)).toBe(3);
  });
  expect(await filesIn(own.filesDir)).toHaveLength(3);
});

test('A3 truncating or deleting a channel for good takes the files along', async () => {
  const server = await chat.as();
  for (const call of ['truncate', 'delete']) {
    await makeChannel(ana, call, ['ana']);
    const { body } = await ana.upload(`/channels/messaging/${call}/file`, 'x', 'a.txt');
    await send(ana, [{ asset_url: body.file }], call);
    const at = { type: 'messaging', id: call };
    if (call === 'truncate') await server.call('POST /channels/{type}/{id}/truncate', { path: at, body: {} });
    else await server.call('DELETE /channels/{type}/{id}', { path: at, query: { hard_delete: 'true' } });
    await vi.waitFor(async () => expect(await signed(ana, body.file)).toBeUndefined(), 9000);
  }
});

test('A3 a collector that died in the middle is finished by the next server', async () => {
  const { body } = await ana.upload('/uploads/file', 'x', 'a.txt');
  const id = body.file.split('/')[2];
  const { pool } = chat.server.kernel.pools;
  await pool.query(
    "update files set state = 'removing', leased_until = now() - interval '1 second' where id = $1",
    [id],
  );

  await vi.waitFor(
    async () => expect((await pool.query('select 1 from files where id = $1', [id])).rows).toEqual([]),
    9000,
  );
  expect(await filesIn(chat.filesDir)).not.toContain(id);
});

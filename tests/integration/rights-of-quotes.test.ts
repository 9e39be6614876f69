import { type Caller, createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signed, type Uploader, uploaderOf } from './upload-support.ts';

let chat: TestChat;
let ana: Caller;
let bo: Caller;
let files: Record<'ana' | 'bo', Uploader>;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  [ana, bo] = await Promise.all([chat.as('ana'), chat.as('bo')]);
  files = { ana: await uploaderOf(chat, 'ana'), bo: await uploaderOf(chat, 'bo') };
});
afterAll(() => chat.stop());

/** A channel of ana, bo and cy with one message of ana's. */
const makeRoom = async (id: string) => {
  const path = { type: 'messaging', id };
  await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'bo', 'cy'] });
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'before' } },
  });
  return { path, id: message.id };
};
const edit = (id: string, message: Record<string, unknown>) =>
  ana.call('PUT /messages/{id}', { path: { id }, body: { message } });
const leave = ({ path }: { path: { type: string; id: string } }) =>
  bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['bo'] } });

test('M8 a user who left reads nothing of the channel through the quote of their draft', async () => {
  const room = await makeRoom('draft-quote');
  const body = { message: { text: 'to be', quoted_message_id: room.id } };
  const { draft } = await bo.call('POST /channels/{type}/{id}/draft', { path: room.path, body });
  expect(draft.quoted_message?.text).toBe('before');
  await leave(room);
  await edit(room.id, { text: 'said after xyzzy' });

  const list = await bo.call('POST /drafts/query', { body: {} });
  const kept = await bo.call('DELETE /channels/{type}/{id}/draft', {
    path: room.path,
    query: { version: String(draft.version - 1) } as never,
  });

  expect(JSON.stringify([list, kept])).toContain('to be');
  expect(JSON.stringify([list, kept])).not.toMatch(/xyzzy|before/);
});

test('M8 a user who cleared their history reads nothing of it through the quote of their draft', async () => {
  const room = await makeRoom('draft-cleared');
  const body = { message: { text: 'to be', quoted_message_id: room.id } };
  await bo.call('POST /channels/{type}/{id}/draft', { path: room.path, body });
  await bo.call('POST /channels/{type}/{id}/hide', { path: room.path, body: { clear_history: true } });

  const state = await bo.call('POST /channels/{type}/{id}/query', { path: room.path, body: {} });

  expect(state.draft?.message.text).toBe('to be');
  expect(JSON.stringify(state)).not.toContain('before');
});

test('M12 a user who left reads nothing of the channel through the quote of their pending message', async () => {
  const room = await makeRoom('pending-quote');
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path: room.path,
    body: { message: { text: 'to be', quoted_message_id: room.id }, pending: true },
  });
  expect(message.quoted_message?.text).toBe('before');
  await leave(room);
  await edit(room.id, { text: 'said after xyzzy' });

  const read = await bo.call('GET /messages/{id}', { path: { id: message.id } });
  const dropped = await bo.call('DELETE /messages/{id}', { path: { id: message.id } });

  expect(read.message).toMatchObject({ text: 'to be', quoted_message_id: room.id });
  expect(JSON.stringify([read, dropped])).not.toMatch(/xyzzy|before/);
});

test('M12 a user who cleared their history reads nothing of it through the quote of their pending message', async () => {
  const room = await makeRoom('pending-cleared');
  await bo.call('POST /channels/{type}/{id}/message', {
    path: room.path,
    body: { message: { text: 'to be', quoted_message_id: room.id }, pending: true },
  });
  const open = () => bo.call('POST /channels/{type}/{id}/query', { path: room.path, body: {} });
  expect((await open()).pending_messages).toMatchObject([{ quoted_message: { text: 'before' } }]);
  await bo.call('POST /channels/{type}/{id}/hide', { path: room.path, body: { clear_history: true } });

  const state = await open();

  expect(state.pending_messages).toMatchObject([
    { text: 'to be', pending: true, quoted_message_id: room.id },
  ]);
  expect(JSON.stringify(state)).not.toContain('before');
});

test('A3 a file that was edited out of a message is signed for its uploader alone', async () => {
  const room = await makeRoom('edited-out');
  const sent = await files.ana.upload('/uploads/file', 'secret', 'a.txt');
  const attachments = [{ type: 'file', asset_url: sent.body.file, title: 'a.txt' }];
  await edit(room.id, { text: 'with a file', attachments });
  expect(await signed(files.bo, sent.body.file)).toBeDefined();

  await edit(room.id, { text: 'without it' });

  expect(await signed(files.bo, sent.body.file)).toBeUndefined();
  expect(await signed(files.ana, sent.body.file)).toBeDefined();
});

test('A3 the file of a message that was deleted, hard too, or cleared is signed for its uploader alone', async () => {
  for (const act of ['soft', 'hard', 'clear'] as const) {
    const room = await makeRoom(`file-${act}`);
    const sent = await files.ana.upload('/uploads/file', `secret ${act}`, 'a.txt');
    await edit(room.id, { text: 'x', attachments: [{ type: 'file', asset_url: sent.body.file }] });
    expect(await signed(files.bo, sent.body.file)).toBeDefined();

    if (act === 'clear')
      await bo.call('POST /channels/{type}/{id}/hide', { path: room.path, body: { clear_history: true } });
    else
      await ana.call('DELETE /messages/{id}', {
        path: { id: room.id },
        query: { hard: String(act === 'hard') },
      });

    expect(await signed(files.bo, sent.body.file), act).toBeUndefined();
    expect(await signed(files.ana, sent.body.file), act).toBeDefined();
  }
});

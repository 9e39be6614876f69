import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', {
    created_by_id: 'cy',
    members: ['ana', 'bo', 'cy'],
  });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
  await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const at = ({ client }: TestClient, id: string) =>
  client.channels
    .state(cid)
    .get()
    ?.messages.find((message) => message.id === id);
const path = { type: 'messaging', id: 'room' };

test('M4 a message is shown at once, and then as sent, on both sides', async () => {
  const sending = ana.client.messages.send(cid, { id: 'm-1', text: 'Hello' });
  expect(at(ana, 'm-1')).toMatchObject({ text: 'Hello', status: 'sending' });

  const sent = await sending;

  expect(sent).toMatchObject({ id: 'm-1', type: 'regular', user: { id: 'ana' }, number: 1 });
  expect(at(ana, 'm-1')?.status).toBe('sent');
  await until(() => at(bo, 'm-1')?.text === 'Hello', 'the message at Bo');
});

test('M4 an edit replaces what was said (PUT) or a part of it (PATCH)', async () => {
  const custom = { mood: 'hasty', keep: 1 };
  const sent = await ana.client.messages.send(cid, { text: 'frist', ...custom });

  const patched = await ana.client.messages.patch(sent, { text: 'first' }, ['mood']);
  expect(patched).toMatchObject({ text: 'first', keep: 1, message_text_updated_at: expect.any(String) });
  expect(patched).not.toHaveProperty('mood');

  const replaced = await ana.client.messages.edit(sent, { text: 'anew' });
  expect(replaced.text).toBe('anew');
  expect(replaced).not.toHaveProperty('keep');
  await until(() => at(bo, sent.id)?.text === 'anew', 'the edit at Bo');
});

test("M4 another's message cannot be edited or deleted, and an edit cannot empty one", async () => {
  const sent = await ana.client.messages.send(cid, { text: 'mine' });
  const other = await chat.as('bo');
  const own = await chat.as('ana');
  const id = { path: { id: sent.id } };

  const refusals = [
    await other.refused('PUT /messages/{id}', { ...id, body: { message: { text: 'x' } } }),
    await other.refused('PATCH /messages/{id}', { ...id, body: { set: { text: 'x' } } }),
    await other.refused('DELETE /messages/{id}', id),
    await other.refused('DELETE /messages/{id}', { ...id, query: { hard: 'true' } }),
  ];
  const empty = await own.refused('PUT /messages/{id}', { ...id, body: { message: { text: ' ' } } });
  const fixed = await own.refused('PATCH /messages/{id}', { ...id, body: { set: { parent_id: 'm-1' } } });
  const nothing = await own.refused('PATCH /messages/{id}', { ...id, body: {} });

  expect(refusals.map(({ code }) => code)).toEqual([17, 17, 17, 17]);
  expect([empty.code, fixed.code, nothing.code]).toEqual([4, 4, 4]);
  expect((await chat.admin.messages.get(sent.id)).text).toBe('mine');
});

test('M4 a soft delete leaves a tombstone, undelete restores everything', async () => {
  const custom = { mood: 'calm' };
  const sent = await ana.client.messages.send(cid, { text: 'gone?', ...custom });

  await ana.client.messages.delete(sent);
  await until(() => at(bo, sent.id)?.type === 'deleted', 'the tombstone at Bo');
  const stone = await bo.client.messages.get(sent.id);
  expect(stone).toMatchObject({ type: 'deleted', text: '', deleted_at: expect.any(String) });
  expect(stone).not.toHaveProperty('mood');

  const back = await ana.client.messages.undelete(sent);
  expect(back).toMatchObject({ type: 'regular', text: 'gone?', mood: 'calm' });
  await until(() => at(bo, sent.id)?.text === 'gone?', 'the message back at Bo');
});

test('M4 a deleted message cannot be edited, one that is not deleted cannot be undeleted', async () => {
  const sent = await ana.client.messages.send(cid, { text: 'x' });
  const own = await chat.as('ana');
  const id = { path: { id: sent.id } };

  const whole = await own.refused('POST /messages/{id}/undelete', { ...id, body: {} });
  await ana.client.messages.delete(sent);
  const edit = await own.refused('PUT /messages/{id}', { ...id, body: { message: { text: 'y' } } });
  const byOther = await (await chat.as('bo')).refused('POST /messages/{id}/undelete', { ...id, body: {} });

  expect([whole.code, edit.code, byOther.code]).toEqual([4, 4, 17]);
});

test('M4 the author neither restores nor removes a message that somebody else deleted', async () => {
  const sent = await ana.client.messages.send(cid, { text: 'out of line' });
  const own = await chat.as('ana');
  const id = { path: { id: sent.id } };
  await chat.admin.messages.delete(sent.id);

  expect(await ana.client.messages.get(sent.id)).toMatchObject({ type: 'deleted', deleted_by_other: true });
  const back = await own.refused('POST /messages/{id}/undelete', { ...id, body: {} });
  const wiped = await own.refused('DELETE /messages/{id}', { ...id, query: { hard: 'true' } });
  expect([back.name, wiped.name]).toEqual(['NotAllowed', 'NotAllowed']);
  const server = await chat.as();
  const { message } = await server.call('POST /messages/{id}/undelete', { ...id, body: {} });
  expect(message).toMatchObject({ text: 'out of line' });
  expect(message).not.toHaveProperty('deleted_by_other');
});

test('M4 a hard delete removes it for good', async () => {
  const sent = await ana.client.messages.send(cid, { text: 'for good' });
  await until(() => at(bo, sent.id), 'the message at Bo');

  await ana.client.messages.delete(sent, { hard: true });

  await until(() => at(bo, sent.id) === undefined, 'it gone at Bo');
  await expect(bo.client.messages.get(sent.id)).rejects.toMatchObject({ name: 'NotFound' });
});

test('M4 a quote carries the quoted message; a stranger one is refused', async () => {
  const said = await ana.client.messages.send(cid, { text: 'to be quoted' });

  const quote = await bo.client.messages.send(cid, { text: 'indeed', quoted_message_id: said.id });

  expect(quote.quoted_message).toMatchObject({ id: said.id, text: 'to be quoted' });
  await until(() => at(ana, quote.id)?.quoted_message?.text === 'to be quoted', 'the quote at Ana');
  await expect(
    bo.client.messages.send(cid, { text: 'x', quoted_message_id: 'nowhere' }),
  ).rejects.toMatchObject({
    name: 'InputInvalid',
    details: [{ path: 'message.quoted_message_id' }],
  });
  await ana.client.messages.delete(said);
  expect((await bo.client.messages.get(quote.id)).quoted_message).toMatchObject({
    text: '',
    type: 'deleted',
  });
});

test('M4 replies count on their parent and stay out of the channel unless shown', async () => {
  const parent = await ana.client.messages.send(cid, { text: 'thread' });
  const before = ana.client.channels.state(cid).get()?.messages.length ?? 0;

  const hidden = await bo.client.messages.send(cid, { text: 'hidden', parent_id: parent.id });
  const shown = await bo.client.messages.send(cid, {
    text: 'shown',
    parent_id: parent.id,
    show_in_channel: true,
  });

  await until(() => at(ana, parent.id)?.reply_count === 2, 'the count at Ana');
  expect(hidden.type).toBe('reply');
  expect(ana.client.channels.state(cid).get()?.messages).toHaveLength(before + 1);
  await ana.client.messages.replies.open(cid, parent.id);
  const thread = ana.client.channels.state(cid).get()?.threads[parent.id];
  expect(thread?.messages.map(({ text }) => text)).toEqual(['hidden', 'shown']);
  await bo.client.messages.delete(hidden);
  await until(() => at(ana, parent.id)?.reply_count === 1, 'the count after the delete');
  expect(at(ana, parent.id)?.thread_participants?.map(({ id }) => id)).toEqual(['bo']);
  expect(at(ana, shown.id)?.text).toBe('shown');
});

test('M4 a reply to a reply, to nothing or to a deleted message is refused', async () => {
  const parent = await ana.client.messages.send(cid, { text: 'thread' });
  const reply = await bo.client.messages.send(cid, { text: 'reply', parent_id: parent.id });
  const raw = await chat.as('bo');
  const answer = (parent_id: string) =>
    raw.refused('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'x', parent_id } } });

  const toReply = await answer(reply.id);
  const toNothing = await answer('nowhere');
  await ana.client.messages.delete(parent);
  const toDeleted = await answer(parent.id);
  const shown = await raw.refused('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'x', show_in_channel: true } },
  });

  for (const refusal of [toReply, toNothing, toDeleted])
    expect(refusal).toMatchObject({ code: 4, details: [{ path: 'message.parent_id' }] });
  expect(shown).toMatchObject({ details: [{ path: 'message.show_in_channel' }] });
});

test('M4 silent messages count for nobody; system messages are for the server alone', async () => {
  const unread = bo.client.channels.state(cid).get()?.unread;

  const silent = await ana.client.messages.send(cid, { text: 'psst', silent: true });
  const system = await chat.admin.messages.send(cid, 'ana', { text: 'Ana left', type: 'system' });

  await until(() => at(bo, system.id)?.type === 'system', 'the system message');
  expect(at(bo, silent.id)?.silent).toBe(true);
  expect(bo.client.channels.state(cid).get()?.unread).toBe((unread ?? 0) + 1);
  await expect(ana.client.messages.send(cid, { text: 'x', type: 'system' })).rejects.toMatchObject({
    name: 'NotAllowed',
  });
});

test('M4 an empty message, an unknown mention and a message to nowhere are refused', async () => {
  const send = (message: object, id = 'room') =>
    chat.as('ana').then((raw) =>
      raw.refused('POST /channels/{type}/{id}/message', {
        path: { type: 'messaging', id },
        body: { message },
      }),
    );

  expect(await send({ text: '' })).toMatchObject({ details: [{ path: 'message.text' }] });
  expect(await send({ text: ' \u200b\u200e ' })).toMatchObject({ details: [{ path: 'message.text' }] });
  expect(await send({ text: 'x', mentioned_users: ['nobody'] })).toMatchObject({
    details: [{ path: 'message.mentioned_users.0' }],
  });
  expect(await send({ text: 'x' }, 'nowhere')).toMatchObject({ code: 16, status: 404 });
});

test('M4 a refused message stays as failed, can be mended and sent, or discarded', async () => {
  const failing = ana.client.messages.send(cid, { id: 'bad', text: 'x', mentioned_users: ['nobody'] });
  await expect(failing).rejects.toMatchObject({ name: 'InputInvalid' });
  expect(at(ana, 'bad')).toMatchObject({ status: 'failed', error: { name: 'InputInvalid' } });

  await ana.client.messages.edit({ cid, id: 'bad' }, { text: 'mended', mentioned_users: ['bo'] });
  expect(at(ana, 'bad')).toMatchObject({ status: 'sent', text: 'mended' });

  await ana.client.messages.send(cid, { id: 'worse', text: '' }).catch(() => undefined);
  ana.client.messages.discard(cid, 'worse');
  expect(at(ana, 'worse')).toBeUndefined();
});

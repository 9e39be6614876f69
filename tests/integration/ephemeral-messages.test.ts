import type { VisibleMessage } from '@parley/client';
import { notes, pendingMessages } from '@parley/client/messages';
import { type Caller, createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const path = { type: 'messaging', id: 'room' };
let chat: TestChat;
let server: Caller;
let ana: TestClient;
let phone: TestClient;
let bo: TestClient;
let receivedByBo: string[];
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'bo', members: ['ana', 'bo'] });
  server = await chat.as();
  [ana, phone, bo] = await Promise.all([chat.connect('ana'), chat.connect('ana'), chat.connect('bo')]);
  receivedByBo = [];
  bo.client.on('all', (event) => receivedByBo.push(JSON.stringify(event)));
  for (const { client } of [ana, phone, bo]) await client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const listed = ({ client }: TestClient): readonly VisibleMessage[] =>
  client.channels.state(cid).get()?.messages ?? [];
const whisper = (message: Record<string, unknown>) =>
  server.call('POST /channels/{type}/{id}/message', { path, body: { message: message as never } });
const saysTo = (one: TestClient, text: string) =>
  until(() => listed(one).some((message) => message.text === text), `${text} in the list`);

test('M4 an ephemeral message reaches its reader on every device, and nobody else', async () => {
  const seq = ana.client.channels.state(cid).get()?.seq;

  const { message } = await whisper({ type: 'ephemeral', user_id: 'ana', text: 'psst xyzzy' });

  expect(message).toMatchObject({ type: 'ephemeral', text: 'psst xyzzy', number: 0 });
  await Promise.all([saysTo(ana, 'psst xyzzy'), saysTo(phone, 'psst xyzzy')]);
  await ana.client.messages.send(cid, { text: 'after it' });
  await saysTo(bo, 'after it');
  expect(listed(ana).map(({ text }) => text)).toEqual(['psst xyzzy', 'after it']);
  expect(JSON.stringify([receivedByBo, listed(bo)])).not.toContain('xyzzy');
  expect(ana.client.channels.state(cid).get()?.seq).toBe((seq ?? 0) + 1);
});

test('M4 an ephemeral message is stored nowhere: not in history, not in search, not by its id', async () => {
  const { message } = await whisper({ type: 'ephemeral', user_id: 'ana', text: 'plugh' });
  const caller = await chat.as('ana');

  const state = await caller.call('POST /channels/{type}/{id}/query', { path, body: { state: true } });
  expect(JSON.stringify(state)).not.toContain('plugh');
  const found = await caller.call('POST /search', { body: { query: 'plugh' } });
  expect(found.results).toEqual([]);
  const refusal = await caller.refused('GET /messages/{id}', { path: { id: message.id } });
  expect(refusal.name).toBe('NotFound');
});

test('M4 the reader takes an ephemeral message away, and can do nothing else with it', async () => {
  const { message } = await whisper({ type: 'ephemeral', user_id: 'ana', text: 'once only' });
  await saysTo(ana, 'once only');

  await expect(ana.client.messages.pin({ cid, id: message.id })).rejects.toMatchObject({ name: 'NotFound' });
  ana.client.messages.dismiss({ cid, id: message.id });

  expect(listed(ana).some(({ id }) => id === message.id)).toBe(false);
});

test('M4 ephemeral messages are for the server to send, to who may read, with something to say', async () => {
  const user = await chat.as('ana');
  const say = (message: Record<string, unknown>) => ({ path, body: { message: message as never } });
  const call = 'POST /channels/{type}/{id}/message';
  const refusals = [
    await user.refused(call, say({ type: 'ephemeral', text: 'mine' })),
    await server.refused(call, say({ type: 'ephemeral', text: 'to whom' })),
    await server.refused(call, say({ type: 'ephemeral', text: 'outsider', user_id: 'cy' })),
    await server.refused(call, say({ type: 'ephemeral', text: '  ', user_id: 'ana' })),
    await server.refused(call, say({ type: 'ephemeral', text: 'x', user_id: 'ana', parent_id: 'none' })),
  ];

  expect(refusals.map(({ name, details }) => [name, details?.[0]?.path])).toEqual([
    ['NotAllowed', undefined],
    ['InputInvalid', 'user_id'],
    ['InputInvalid', 'message.user_id'],
    ['InputInvalid', 'message.text'],
    ['InputInvalid', 'message.parent_id'],
  ]);
});

test('M4 a note of the client itself stays on its device and ends with the session', async () => {
  const cy = await chat.connect('bo');
  await cy.client.channels.open('messaging', 'room');

  cy.client.feature(notes).add(cid, 'There is no command /dance.', { id: 'note' });
  cy.client.feature(notes).add(cid, 'Still none.', { id: 'note' });

  expect(listed(cy).at(-1)).toMatchObject({ type: 'ephemeral', status: 'private', text: 'Still none.' });
  expect(listed(cy).filter(({ type }) => type === 'ephemeral')).toHaveLength(1);
  await cy.client.disconnect();
  await cy.client.connectUser({ id: 'bo' }, await chat.token('bo'));
  await cy.client.channels.open('messaging', 'room');
  expect(listed(cy).some(({ type }) => type === 'ephemeral')).toBe(false);
});

test('M12 a pending message stands at the end for its author, on every device, until it is published', async () => {
  const pending = ana.client.feature(pendingMessages);
  await pending.send(cid, { id: 'held', text: 'not yet' });
  await Promise.all([saysTo(ana, 'not yet'), saysTo(phone, 'not yet')]);
  await bo.client.messages.send(cid, { text: 'meanwhile' });
  await saysTo(ana, 'meanwhile');
  expect(listed(ana).at(-1)).toMatchObject({ id: 'held', pending: true, status: 'private' });
  expect(listed(bo).some(({ id }) => id === 'held')).toBe(false);

  await pending.commit('held');

  await Promise.all([saysTo(bo, 'not yet'), until(() => !listed(phone).at(-1)?.pending, 'published')]);
  expect(listed(phone).filter(({ id }) => id === 'held')).toMatchObject([{ status: 'sent' }]);
});

test('M12 a pending message is there after a reload, and gone everywhere once dropped', async () => {
  const pending = ana.client.feature(pendingMessages);
  await pending.send(cid, { id: 'dropped', text: 'never mind' });
  const later = await chat.connect('ana');
  await later.client.channels.open('messaging', 'room');
  await until(() => listed(later).at(-1)?.id === 'dropped', 'the pending message after a reload');

  await pending.discard('dropped');

  for (const one of [ana, phone, later])
    await until(() => !listed(one).some(({ id }) => id === 'dropped'), 'taken away');
});

import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'dee'] });
});
afterAll(() => chat.stop());

let serial = 0;
const makeRoom = async (type = 'messaging') => {
  const id = `room-${++serial}`;
  const path = { type, id };
  await chat.admin.channels.create(type, id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  const raw = await chat.as('ana');
  const save = (text: string, more: Record<string, unknown> = {}) =>
    raw.call('POST /channels/{type}/{id}/draft', { path, body: { message: { text }, ...more } });
  return { path, cid: `${type}:${id}`, raw, save };
};

test('M8 a draft is kept per channel and thread, and comes with the channel', async () => {
  const { path, cid, raw, save } = await makeRoom();
  const sent = await raw.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'hello' } },
  });
  const parent_id = sent.message.id;
  const message: Record<string, unknown> = {
    text: 'in the room',
    quoted_message_id: parent_id,
    mood: 'calm',
  };
  await raw.call('POST /channels/{type}/{id}/draft', { path, body: { message } });
  await save('in the thread', { parent_id });

  const { drafts } = await raw.call('POST /drafts/query', { body: { filter: { cid } } });
  const state = await raw.call('POST /channels/{type}/{id}/query', { path, body: {} });
  const thread = await raw.call('GET /channels/{type}/{id}/draft', { path, query: { parent_id } });

  expect(drafts.map(({ message }) => message.text)).toEqual(['in the thread', 'in the room']);
  expect(state.draft).toMatchObject({
    message: { text: 'in the room', mood: 'calm' },
    quoted_message: { text: 'hello' },
  });
  expect(thread.draft).toMatchObject({ parent_id, message: { text: 'in the thread' } });
});

test('M8 of two devices that write at once the second gets the first back, and nothing is lost', async () => {
  const { save } = await makeRoom();
  const first = await save('from the phone', { version: 0 });

  const second = await save('from the desk', { version: 0 });
  expect(second).toMatchObject({ conflict: true, draft: { message: { text: 'from the phone' } } });

  const merged = await save('from the desk, from the phone', { version: second.draft.version });
  expect(merged.conflict).toBeUndefined();
  expect(merged.draft.version).toBeGreaterThan(first.draft.version);
});

test('M8 a send forgets only the draft that it sent', async () => {
  const { path, raw, save } = await makeRoom();
  const first = await save('sent from here');
  await save('typed there meanwhile');
  const forget = (version: number) =>
    raw.call('DELETE /channels/{type}/{id}/draft', { path, query: { version: String(version) } });

  const reply = await forget(first.draft.version);
  expect(reply.draft?.message.text).toBe('typed there meanwhile');

  expect(await forget(reply.draft?.version ?? 0)).toEqual({});
  expect(await raw.refused('GET /channels/{type}/{id}/draft', { path })).toMatchObject({ name: 'NotFound' });
});

test('M8 the own devices are notified of it, and nobody else', async () => {
  const { path, raw, save } = await makeRoom();
  const [ana, bo] = [await chat.connect('ana'), await chat.connect('bo')];
  const received: string[] = [];
  ana.client.on('draft.updated', ({ draft }) => received.push(draft.message.text));
  ana.client.on('draft.deleted', () => received.push('gone'));
  bo.client.on('draft.updated', () => received.push('at Bo'));

  await save('one');
  await raw.call('DELETE /channels/{type}/{id}/draft', { path });

  await until(() => received.includes('gone'), 'both events');
  expect(received).toEqual(['one', 'gone']);
});

test('M8 a draft without a channel is refused', async () => {
  const { path, raw, save } = await makeRoom();
  const sent = await raw.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'a' } },
  });
  const reply = await raw.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'b', parent_id: sent.message.id } },
  });
  const refusal = (body: { message: { text: string }; parent_id?: string }, caller = raw) =>
    caller.refused('POST /channels/{type}/{id}/draft', { path, body });

  expect(await refusal({ message: { text: 'x' }, parent_id: reply.message.id })).toMatchObject({
    name: 'InputInvalid',
  });
  expect(await refusal({ message: { text: '' } })).toMatchObject({ name: 'InputInvalid' });
  expect(await refusal({ message: { text: 'x'.repeat(20_001) } })).toMatchObject({ name: 'PayloadTooLarge' });
  expect(await refusal({ message: { text: 'x' } }, await chat.as('dee'))).toMatchObject({
    name: 'NotAllowed',
  });
  await save('still here');

  const server = await chat.as();
  await server.call('DELETE /channels/{type}/{id}', { path, query: { user_id: 'bo' } });

  expect(await refusal({ message: { text: 'x' } })).toMatchObject({ name: 'NotFound' });
});

test('M8 a draft outlives its channel: it is listed, shows nothing of the channel, and can be deleted', async () => {
  for (const hard of ['false', 'true']) {
    const { path, raw } = await makeRoom();
    const { message } = await raw.call('POST /channels/{type}/{id}/message', {
      path,
      body: { message: { text: 'a secret' } },
    });
    const draft = { message: { text: 'still here', quoted_message_id: message.id } };
    await raw.call('POST /channels/{type}/{id}/draft', { path, body: draft });
    const server = await chat.as();
    await server.call('DELETE /channels/{type}/{id}', { path, query: { user_id: 'bo', hard_delete: hard } });
    const list = async () =>
      (await raw.call('POST /drafts/query', { body: { filter: { cid: `messaging:${path.id}` } } })).drafts;

    const [found] = await list();
    expect([found?.message.text, found?.quoted_message], hard).toEqual(['still here', undefined]);
    await raw.call('DELETE /channels/{type}/{id}/draft', { path });
    expect(await list()).toEqual([]);
  }
});

test('M8 where one may not write no draft is kept, but an old one can be forgotten', async () => {
  const { path, raw, save } = await makeRoom();
  await save('before the frost');
  const server = await chat.as();
  await server.call('PATCH /channels/{type}/{id}', {
    path,
    query: { user_id: 'bo' },
    body: { set: { frozen: true } },
  });

  const body = { message: { text: 'x' } };
  expect(await raw.refused('POST /channels/{type}/{id}/draft', { path, body })).toMatchObject({
    name: 'NotAllowed',
  });
  expect(await raw.call('DELETE /channels/{type}/{id}/draft', { path })).toEqual({});
});

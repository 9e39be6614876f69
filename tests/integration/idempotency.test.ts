import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const path = { type: 'messaging', id: 'room' };
let chat: TestChat;
let ana: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  for (const id of ['room', 'second'])
    await chat.admin.channels.create('messaging', id, { created_by_id: 'bo', members: ['ana', 'bo'] });
  ana = await chat.connect('ana', { environment: { random: () => 0 } });
  await ana.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

const stored = async (): Promise<{ id: string; text: string; number: number }[]> => {
  const server = await chat.as();
  const state = await server.call('POST /channels/{type}/{id}/query', {
    path,
    query: { user_id: 'ana' },
    body: { messages: { limit: 100 } },
  });
  return state.messages;
};
const send = async (user: string, message: object, id = 'room') => {
  const raw = await chat.as(user);
  return raw.raw('POST', `/channels/messaging/${id}/message`, { body: JSON.stringify({ message }) });
};

test('M4 the same id again returns the stored message with 200', async () => {
  const first = await send('ana', { id: 'once', text: 'first' });
  const again = await send('ana', { id: 'once', text: 'changed' });

  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toEqual(first.body);
});

test("M4 another's id, or the own in another channel, is taken", async () => {
  await send('ana', { id: 'taken', text: 'x' });

  const other = await send('bo', { id: 'taken', text: 'y' });
  const elsewhere = await send('ana', { id: 'taken', text: 'y' }, 'second');

  for (const reply of [other, elsewhere])
    expect(reply).toMatchObject({ status: 409, body: { code: 6, name: 'DuplicateId' } });
  expect((await chat.admin.messages.get('taken')).text).toBe('x');
});

test('M4 the id of a message that was deleted for good is taken, by whatever way it is sent again', async () => {
  const server = await chat.as();
  await chat.admin.channels.create('messaging', 'emptied', { created_by_id: 'bo', members: ['ana', 'bo'] });
  await send('bo', { id: 'gone-parent', text: 'parent' });
  for (const id of ['gone-one', 'gone-reply', 'gone-pending']) await send('ana', { id, text: 'x' });
  await send('ana', { id: 'gone-truncated', text: 'x' }, 'emptied');
  for (const id of ['gone-one', 'gone-reply', 'gone-pending'])
    await server.call('DELETE /messages/{id}', { path: { id }, query: { hard: 'true' } });
  await server.call('POST /channels/{type}/{id}/truncate', {
    path: { type: 'messaging', id: 'emptied' },
    query: { user_id: 'bo' },
    body: {},
  });

  const replies = [
    await send('ana', { id: 'gone-one', text: 'back' }),
    ...(await Promise.all(
      ['gone-one', 'fresh-1', 'gone-one'].map((id) => send('ana', { id, text: 'together' })),
    )),
    await send('ana', { id: 'gone-reply', text: 'back', parent_id: 'gone-parent' }),
    await send('ana', { id: 'gone-truncated', text: 'back' }, 'emptied'),
    await (await chat.as('ana')).raw('POST', '/channels/messaging/room/message', {
      body: JSON.stringify({ message: { id: 'gone-pending', text: 'back' }, pending: true }),
    }),
  ];

  expect(replies.map(({ status }) => status)).toEqual([409, 409, 201, 409, 409, 409, 409]);
  expect(replies[0]?.body).toMatchObject({ name: 'DuplicateId', details: [{ path: 'message.id' }] });
  expect((await stored()).map(({ text }) => text)).not.toContain('back');
});

test('M4 a repeated reply is stored once, too', async () => {
  await send('ana', { id: 'parent', text: 'x' });
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => send('bo', { id: 'reply', text: 'y', parent_id: 'parent' })),
  );

  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
  expect((await chat.admin.messages.get('parent')).reply_count).toBe(1);
  expect((await send('ana', { id: 'reply', text: 'z', parent_id: 'parent' })).status).toBe(409);
});

test('M4 twenty at once with one id store one message', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send('ana', { id: 'twenty', text: `try ${index}` })),
  );

  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(19);
  const texts = new Set(replies.map(({ body }) => (body as { message: { text: string } }).message.text));
  expect(texts.size).toBe(1);
  expect((await stored()).filter(({ id }) => id === 'twenty')).toHaveLength(1);
});

test('M4 two authors at once with one id: one is stored, the other refused', async () => {
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) => send(index % 2 ? 'ana' : 'bo', { id: 'fight', text: 'x' })),
  );

  const statuses = replies.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 200)).toHaveLength(9);
  expect(statuses.filter((status) => status === 409)).toHaveLength(10);
});

test('M4 sixty messages at once get numbers and places without a hole', async () => {
  const before = await stored();
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, index) => send(index % 2 ? 'ana' : 'bo', { text: `n${index}` })),
  );

  const numbers = sent.map(({ body }) => (body as { message: { number: number } }).message.number);
  const first = (before.at(-1)?.number ?? 0) + 1;
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => first + index));
});

test('M4 a lost answer is tried again by the SDK and never doubles', async () => {
  let lost = 0;
  ana.faults.onCall((url, method) => {
    if (method !== 'POST' || !url.endsWith('/message') || lost >= 2) return undefined;
    lost++;
    return 'lose';
  });

  const sent = await ana.client.messages.send(cid, { text: 'despite the loss' });
  ana.faults.onCall(undefined);

  expect(lost).toBe(2);
  expect((await stored()).filter(({ text }) => text === 'despite the loss')).toMatchObject([{ id: sent.id }]);
  const seen = ana.client.channels
    .state(cid)
    .get()
    ?.messages.filter(({ id }) => id === sent.id);
  expect(seen).toMatchObject([{ status: 'sent' }]);
});

test('M4 a message written offline is sent once, in order, when the network is back', async () => {
  ana.faults.goOffline();
  const texts = Array.from({ length: 10 }, (_, index) => `offline ${index}`);
  const sending = texts.map((text) => ana.client.messages.send(cid, { text }));
  await until(() => ana.client.connection.get().status === 'offline', 'offline');

  ana.faults.restore();
  await Promise.all(sending);

  const there = (await stored()).map(({ text }) => text).filter((text) => text.startsWith('offline'));
  expect(there).toEqual(texts);
  const shown =
    ana.client.channels
      .state(cid)
      .get()
      ?.messages.map(({ text }) => text) ?? [];
  expect(shown.filter((text) => text.startsWith('offline'))).toEqual(texts);
});

test.each([
  ['never reached the server', 'refuse', false],
  ['was stored without an answer', 'lose', true],
  ['is still on its way', { delayMs: 150 }, true],
] as const)('M4 a message whose try %s is edited while it waits', async (_, fault, isMarked) => {
  const calls: string[] = [];
  let isDown = fault === 'refuse';
  ana.faults.onCall((url, method) => {
    const isSend = method === 'POST' && url.endsWith('/message');
    if (isSend || method === 'PUT') calls.push(method);
    return isSend && (calls.length === 1 || isDown) ? fault : undefined;
  });
  const ref = { cid, id: `edited-${JSON.stringify(fault).replace(/\W/g, '')}` };
  const seen = () =>
    ana.client.channels
      .state(cid)
      .get()
      ?.messages.filter(({ id }) => id === ref.id) ?? [];
  const texts = new Set<string | undefined>();
  const stop = ana.client.channels.state(cid).subscribe(() => texts.add(seen()[0]?.text));
  const sending = ana.client.messages.send(cid, { id: ref.id, text: 'first @bo', mentioned_users: ['bo'] });
  await until(() => calls.includes('POST'), 'the first try is made');
  const edits = ['then', 'last'].map((text) => ana.client.messages.edit(ref, { text }));
  if (isDown) await until(() => calls.length > 1, 'the message is tried again');
  isDown = false;
  await Promise.all([sending, ...edits]);
  stop();
  ana.faults.onCall(undefined);

  const { text, mentioned_users, message_text_updated_at: at } = await chat.admin.messages.get(ref.id);
  expect([text, mentioned_users, at !== undefined]).toEqual(['last', [], isMarked]);
  expect(calls.filter((method) => method === 'PUT')).toHaveLength(isMarked ? 1 : 0);
  expect((await stored()).filter(({ id }) => id === ref.id)).toHaveLength(1);
  expect(seen()).toMatchObject([{ status: 'sent', text: 'last', mentioned_users: [] }]);
  expect(seen()[0]?.message_text_updated_at).toBe(at);
  // The text that was typed last does not go back to the one that the server had meanwhile.
  expect([...texts].at(-1)).toBe('last');
});

test('M4 an edit that the server refuses after it has stored the message leaves the message as it was', async () => {
  let lost = 0;
  ana.faults.onCall((url, method) =>
    method === 'POST' && url.endsWith('/message') && lost++ === 0 ? 'lose' : undefined,
  );
  const ref = { cid, id: 'refused-edit' };
  const sending = ana.client.messages.send(cid, { id: ref.id, text: 'as it was' });
  await until(() => lost > 0, 'the first try is made');
  const edited = ana.client.messages.edit(ref, { text: 'with a stranger', mentioned_users: ['nobody'] });

  await expect(edited).rejects.toMatchObject({ name: 'InputInvalid' });
  expect((await sending).text).toBe('as it was');
  ana.faults.onCall(undefined);
  expect(
    ana.client.channels
      .state(cid)
      .get()
      ?.messages.find(({ id }) => id === ref.id),
  ).toMatchObject({ text: 'as it was', status: 'sent' });
});

test('M4 an edit that is made while the one before it is refused takes its place', async () => {
  let posts = 0;
  ana.faults.onCall((url, method) => {
    if (method !== 'POST' || !url.endsWith('/message')) return undefined;
    posts += 1;
    return ([undefined, 'lose', { delayMs: 150 }] as const)[posts];
  });
  const ref = { cid, id: 'edited-after-refusal' };
  const sending = ana.client.messages.send(cid, { id: ref.id, text: 'as it was' });
  await until(() => posts > 0, 'the first try is made');
  const refused = ana.client.messages.edit(ref, { text: 'with a stranger', mentioned_users: ['nobody'] });
  await until(() => posts > 1, 'the refused edit is on its way');
  const edited = ana.client.messages.edit(ref, { text: 'without one' });

  for (const { text } of await Promise.all([sending, refused, edited])) expect(text).toBe('without one');
  ana.faults.onCall(undefined);
  expect((await chat.admin.messages.get(ref.id)).text).toBe('without one');
});

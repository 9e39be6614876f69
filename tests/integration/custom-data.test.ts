import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
});
afterAll(() => chat.stop());

const path = { type: 'messaging', id: 'room' };
const odd = {
  text: 'ü €\n"',
  nested: { list: [1, null, { deep: true }] },
  number: -1.5,
  flag: false,
  nothing: null,
};
const send = async (message: object) => {
  const ana = await chat.as('ana');
  return ana.raw('POST', '/channels/messaging/room/message', { body: JSON.stringify({ message }) });
};

test('protocol 1 custom data of users is kept, returned at top level and filterable', async () => {
  const custom = { shoe: 43, extra: odd };
  const made = await chat.admin.users.upsert([{ id: 'cus', name: 'Cus', ...custom }]);

  const ana = await chat.as('ana');
  const found = await ana.call('POST /users/query', { body: { filter: { shoe: { $gte: 43 } } } });

  expect(made.cus).toMatchObject({ shoe: 43, extra: odd });
  expect(found.users).toMatchObject([{ id: 'cus', shoe: 43, extra: odd }]);
});

test('protocol 1 custom data of users is set and unset piece by piece', async () => {
  const custom = { one: 1, two: 2 };
  await chat.admin.users.upsert([{ id: 'cut', ...custom }]);

  const changed = await chat.admin.users.patch([{ id: 'cut', set: { two: 22, three: 3 }, unset: ['one'] }]);

  expect(changed.cut).toMatchObject({ two: 22, three: 3 });
  expect(changed.cut).not.toHaveProperty('one');
});

test('protocol 1 custom data of channels, members, messages, attachments and reactions', async () => {
  const ana = await chat.as('ana');
  const [look, mood] = [
    { colour: 'red', extra: odd },
    { mood: 'calm', extra: odd },
  ];
  const [desk, rows, skin] = [{ desk: 7 }, { rows: [1, 2] }, { skin: 3 }];
  const state = await ana.call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'custom' },
    body: { data: { ...look, members: [{ user_id: 'bo', ...desk }] } },
  });
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'custom' },
    body: { message: { text: 'x', ...mood, attachments: [{ type: 'card', ...rows }] } },
  });
  const { reaction } = await ana.call('POST /messages/{id}/reaction', {
    path: { id: message.id },
    body: { reaction: { type: 'like', ...skin } },
  });
  const byColour = await ana.call('POST /channels', { body: { filter: { colour: 'red' } } });
  const byDesk = await ana.call('POST /members/query', {
    body: { type: 'messaging', id: 'custom', filter: { desk: 7 } },
  });

  expect(state.channel).toMatchObject({ colour: 'red', extra: odd });
  expect(state.members).toContainEqual(expect.objectContaining({ user_id: 'bo', desk: 7 }));
  expect(message).toMatchObject({ mood: 'calm', extra: odd, attachments: [{ type: 'card', rows: [1, 2] }] });
  expect(reaction).toMatchObject({ skin: 3 });
  expect(byColour.channels.map(({ channel }) => channel.id)).toEqual(['custom']);
  expect(byDesk.members.map(({ user_id }) => user_id)).toEqual(['bo']);
});

test('protocol 1 custom data of 5 KiB is kept, a byte more is refused', async () => {
  const fits = { blob: 'x'.repeat(5120 - '{"blob":""}'.length) };
  const over = { blob: `${fits.blob}x` };

  expect((await send({ text: 'x', ...fits })).status).toBe(201);
  expect(await send({ text: 'x', ...over })).toMatchObject({
    status: 400,
    body: { code: 4, message: expect.stringContaining('5120') },
  });
  const wide = { blob: 'é'.repeat(2600) };
  expect((await send({ text: 'x', ...wide })).status).toBe(400);
});

test('protocol 1 the limit holds for what is merged, not only for what is sent', async () => {
  const half = 'x'.repeat(3000);
  const custom = { one: half };
  await chat.admin.users.upsert([{ id: 'fat', ...custom }]);
  const server = await chat.as();

  const upsert = await server.refused('POST /users', { body: { users: { fat: { id: 'fat', two: half } } } });
  const patch = await server.refused('PATCH /users', {
    body: { users: [{ id: 'fat', set: { two: half } }] },
  });

  expect([upsert.code, patch.code]).toEqual([4, 4]);
});

test.each([
  'created_at',
  'number',
  'cid',
  'user',
  'reaction_counts',
  'own_reactions',
  'pinned_at',
  'deleted_at',
  'reply_count',
])('protocol 1 %s of a message is set by the server: refused by name', async (key) => {
  expect(await send({ text: 'x', [key]: 1 })).toMatchObject({
    status: 400,
    body: { code: 4, details: [{ path: `message.${key}`, message: `${key} is set by the server` }] },
  });
});

test('protocol 1 server-set keys of users, channels, members and reactions are refused by name', async () => {
  const server = await chat.as();
  const ana = await chat.as('ana');
  const { message } = (await send({ text: 'x' })).body as { message: { id: string } };
  const refusals = [
    await server.refused('POST /users', { body: { users: { cus: { id: 'cus', online: true } } } }),
    await server.refused('PATCH /users', { body: { users: [{ id: 'ana', set: { created_at: 'x' } }] } }),
    await ana.refused('PATCH /channels/{type}/{id}', { path, body: { set: { member_count: 7 } } }),
    await ana.refused('PATCH /channels/{type}/{id}', { path, body: { unset: ['cid'] } }),
    await ana.refused('POST /channels/{type}/{id}', {
      path,
      body: { add_members: [{ user_id: 'bo', banned: true }] },
    }),
    await ana.refused('PATCH /channels/{type}/{id}/member', { path, body: { set: { banned: false } } }),
    await ana.refused('PATCH /messages/{id}', { path: { id: message.id }, body: { set: { number: 1 } } }),
    await ana.refused('POST /messages/{id}/reaction', {
      path: { id: message.id },
      body: { reaction: { type: 'like', created_at: 'x' } },
    }),
  ];

  const names = ['online', 'created_at', 'member_count', 'cid', 'banned', 'banned', 'number', 'created_at'];
  expect(refusals.map(({ code }) => code)).toEqual(names.map(() => 4));
  expect(refusals.map(({ details }, index) => details?.[0]?.path.endsWith(names[index] ?? ''))).toEqual(
    names.map(() => true),
  );
});

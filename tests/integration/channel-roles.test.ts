import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['owner', 'mod', 'mod2', 'member', 'other', 'stranger', 'staff'] });
  await chat.admin.users.upsert([
    { id: 'boss', name: 'Boss', role: 'admin' },
    { id: 'boss2', name: 'Boss 2', role: 'admin' },
    { id: 'staff', name: 'Staff', role: 'moderator' },
    { id: 'staff2', name: 'Staff 2', role: 'moderator' },
    { id: 'visitor', name: 'Visitor', role: 'guest' },
    { id: 'visitor2', name: 'Visitor 2', role: 'guest' },
  ]);
});
afterAll(() => chat.stop());

let serial = 0;
/** `owner` made it; `mod` and `mod2` are moderators, `member` and `other` are not. */
const makeRoom = async (type = 'team', createdBy = 'owner') => {
  const path = { type, id: `roles-${++serial}` };
  const members = [...new Set([createdBy, 'owner', 'mod', 'mod2', 'member', 'other'])];
  await chat.admin.channels.create(path.type, path.id, { created_by_id: createdBy, members });
  await chat.admin.channels.update(`${path.type}:${path.id}`, { add_moderators: ['mod', 'mod2'] });
  return path;
};
type Room = Awaited<ReturnType<typeof makeRoom>>;

const send = async (user: string, method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) => {
  const reply = await (await chat.as(user)).raw(method, url, { body: JSON.stringify(body ?? {}) });
  return { status: reply.status, body: JSON.stringify(reply.body) };
};
const update = (user: string, { type, id }: Room, body: unknown) =>
  send(user, 'POST', `/channels/${type}/${id}`, body);
const setRole = (user: string, { type, id }: Room, target: string, role: string) =>
  send(user, 'PATCH', `/channels/${type}/${id}/member`, {
    target_user_id: target,
    set: { channel_role: role },
  });
const rolesIn = async ({ type, id }: Room): Promise<Record<string, string>> => {
  const { members } = await (await chat.as()).call('POST /members/query', { body: { type, id, limit: 100 } });
  return Object.fromEntries(members.map((member) => [member.user_id, member.channel_role]));
};

const types = ['messaging', 'team', 'gaming', 'livestream', 'commerce'];

test.each(types)(
  'G2 a member of %s raises neither themselves nor another, and removes nobody',
  async (type) => {
    const room = await makeRoom(type);
    const before = await rolesIn(room);

    for (const role of ['admin', 'moderator', 'channel_moderator'])
      for (const target of ['member', 'other'])
        expect([400, 403]).toContain((await setRole('member', room, target, role)).status);
    for (const body of [
      { add_moderators: ['member'] },
      { add_moderators: ['other'] },
      { demote_moderators: ['mod'] },
      { remove_members: ['owner'] },
      { remove_members: ['mod'] },
      { remove_members: ['other'] },
      { add_members: [{ user_id: 'stranger', channel_role: 'channel_moderator' }] },
      { invites: [{ user_id: 'stranger', channel_role: 'channel_moderator' }] },
    ])
      expect(await update('member', room, body)).toMatchObject({ status: 403 });
    expect(await rolesIn(room)).toEqual(before);
  },
);

test.each(types)('G2 the creator of a channel of %s cannot make themselves its moderator', async (type) => {
  const room = await makeRoom(type);

  for (const role of ['channel_moderator', 'admin'])
    expect([400, 403]).toContain((await setRole('owner', room, 'owner', role)).status);
  expect(await update('owner', room, { add_moderators: ['owner'] })).toMatchObject({ status: 403 });
  await update('owner', room, { remove_members: ['owner'] });
  await update('owner', room, { add_members: [{ user_id: 'owner', channel_role: 'channel_moderator' }] });
  expect((await rolesIn(room)).owner).not.toBe('channel_moderator');
});

test('G2 channel roles are a list of their own: no role of the app, also for the server', async () => {
  const room = await makeRoom();
  await chat.admin.roles.create('designer');
  const server = await chat.as();
  for (const role of ['admin', 'moderator', 'user', 'designer', 'owner', ''])
    expect(
      await server.refused('PATCH /channels/{type}/{id}/member', {
        path: room,
        body: { target_user_id: 'member', set: { channel_role: role } },
      }),
    ).toMatchObject({ code: 4, details: [{ path: 'set.channel_role' }] });
  expect(
    await server.refused('POST /channels/{type}/{id}', {
      path: room,
      body: { add_members: [{ user_id: 'stranger', channel_role: 'admin' }] },
    }),
  ).toMatchObject({ code: 4, details: [{ path: 'add_members.0.channel_role' }] });
  for (const role of ['channel_moderator', 'channel_member'])
    expect(
      await server.refused('POST /users', { body: { users: { other: { id: 'other', role } } } }),
    ).toMatchObject({ code: 4 });
});

test.each([
  ['messaging', 'owner'],
  ['team', 'owner'],
  ['gaming', 'owner'],
  ['commerce', 'owner'],
  ['commerce', 'visitor'],
])(
  'G2 roles that a client gives when it makes a channel are refused by name (%s, %s)',
  async (type, user) => {
    const caller = await chat.as(user);
    for (const role of ['admin', 'channel_moderator', 'channel_member']) {
      const path = { type, id: `made-${++serial}` };
      const members = ['member', { user_id: user, channel_role: role }];
      const refusal = { code: 4, details: [{ path: 'data.members.1.channel_role' }] };
      expect(
        await caller.refused('POST /channels/{type}/{id}/query', { path, body: { data: { members } } }),
      ).toMatchObject(refusal);
      expect(
        await caller.refused('POST /channels/{type}/query', { path: { type }, body: { data: { members } } }),
      ).toMatchObject(refusal);
    }
  },
);

test('G2 the server gives roles when it makes a channel', async () => {
  const room = { type: 'team', id: `made-${++serial}` };
  await chat.admin.channels.create(room.type, room.id, {
    created_by_id: 'owner',
    members: ['owner', { user_id: 'mod', channel_role: 'channel_moderator' }],
  });
  expect(await rolesIn(room)).toEqual({ owner: 'channel_member', mod: 'channel_moderator' });
});

test('G2 a guest who made a channel of commerce gives nobody a role and removes nobody', async () => {
  const room = await makeRoom('commerce', 'visitor');

  for (const body of [
    { add_moderators: ['visitor'] },
    { add_moderators: ['member'] },
    { demote_moderators: ['mod'] },
    { remove_members: ['owner'] },
    { add_members: [{ user_id: 'visitor2', channel_role: 'channel_moderator' }] },
  ])
    expect(await update('visitor', room, body)).toMatchObject({ status: 403 });
  expect((await setRole('visitor', room, 'visitor', 'channel_moderator')).status).toBe(403);
  expect(await update('visitor', room, { add_members: ['visitor2'] })).toMatchObject({ status: 200 });
});

test('G2 a moderator rules over members alone, the owner over both, staff of the app by what the rules give them', async () => {
  const may: Record<string, Record<string, number>> = {
    mod: { owner: 403, mod2: 403, other: 200 },
    owner: { mod2: 200, other: 200 },
    staff: { owner: 403, mod2: 200, other: 200 },
    boss: { owner: 200, mod2: 200, other: 200 },
  };
  for (const [user, targets] of Object.entries(may))
    for (const [target, status] of Object.entries(targets)) {
      const room = await makeRoom();
      if (target === 'mod2')
        expect([user, target, (await update(user, room, { demote_moderators: [target] })).status]).toEqual([
          user,
          target,
          status,
        ]);
      const removed = await update(user, room, { remove_members: [target] });
      expect([user, target, removed.status]).toEqual([user, target, status]);
      expect(target in (await rolesIn(room))).toBe(status !== 200);
    }
});

/** A room in which those of the staff of the app are plain members. */
const makeRoomWithStaff = async () => {
  const room = await makeRoom();
  await chat.admin.channels.addMembers(`${room.type}:${room.id}`, ['boss', 'boss2', 'staff', 'staff2']);
  return room;
};

test('G2 staff of the app who are plain members keep their rank: a moderator does nothing to them', async () => {
  const room = await makeRoomWithStaff();
  const before = await rolesIn(room);

  for (const target of ['boss', 'staff']) {
    for (const body of [
      { remove_members: [target] },
      { remove_members: ['other', target] },
      { add_moderators: [target] },
      { demote_moderators: [target] },
    ])
      expect([target, body, (await update('mod', room, body)).status]).toEqual([target, body, 403]);
    for (const set of [{ channel_role: 'channel_moderator' }, { label: 'x' }])
      expect(
        await send('mod', 'PATCH', `/channels/${room.type}/${room.id}/member`, {
          target_user_id: target,
          set,
        }),
      ).toMatchObject({ status: 403 });
  }
  expect(await rolesIn(room)).toEqual(before);
  expect(await update('mod', room, { remove_members: ['other'] })).toMatchObject({ status: 200 });
});

test('G2 staff who were made moderators of a channel are demoted from above alone', async () => {
  const room = await makeRoomWithStaff();
  await chat.admin.channels.update(`${room.type}:${room.id}`, { add_moderators: ['boss', 'staff'] });

  for (const [user, target, status] of [
    ['mod', 'boss', 403],
    ['mod', 'staff', 403],
    ['staff2', 'staff', 403],
    ['owner', 'boss', 403],
    ['boss2', 'boss', 403],
    ['owner', 'staff', 200],
  ] as const)
    expect([user, target, (await update(user, room, { demote_moderators: [target] })).status]).toEqual([
      user,
      target,
      status,
    ]);
  expect(await rolesIn(room)).toMatchObject({ boss: 'channel_moderator', staff: 'channel_member' });
});

test('G2 staff are removed from above, by the server, and by themselves', async () => {
  const room = await makeRoomWithStaff();

  for (const [user, target, status] of [
    ['staff', 'boss', 403],
    ['staff', 'staff2', 403],
    ['owner', 'boss', 403],
    ['boss', 'boss2', 403],
    ['boss', 'staff2', 200],
    ['staff', 'staff', 200],
    ['boss', 'boss', 200],
  ] as const) {
    const removed = await update(user, room, { remove_members: [target] });
    expect([user, target, removed.status]).toEqual([user, target, status]);
    expect(target in (await rolesIn(room))).toBe(status !== 200);
  }
  await chat.admin.channels.removeMembers(`${room.type}:${room.id}`, ['boss2']);
  expect(await rolesIn(room)).not.toHaveProperty('boss2');
});

test('G2 a moderator appoints and steps down; nobody else is stepped down by them', async () => {
  const room = await makeRoom();

  expect(await update('mod', room, { add_moderators: ['other'] })).toMatchObject({ status: 200 });
  expect(await setRole('mod', room, 'other', 'channel_member')).toMatchObject({ status: 403 });
  expect(await setRole('mod', room, 'owner', 'channel_moderator')).toMatchObject({ status: 403 });
  expect(await setRole('mod', room, 'mod', 'channel_member')).toMatchObject({ status: 200 });
  expect(await setRole('mod', room, 'mod', 'channel_moderator')).toMatchObject({ status: 403 });
  expect(await rolesIn(room)).toMatchObject({ mod: 'channel_member', other: 'channel_moderator' });
});

test('G2 one that is refused among several changes nothing', async () => {
  const room = await makeRoom();
  const before = await rolesIn(room);

  expect(await update('mod', room, { remove_members: ['other', 'owner'] })).toMatchObject({ status: 403 });
  expect(await update('mod', room, { add_moderators: ['other', 'mod2'] })).toMatchObject({ status: 403 });
  expect(await rolesIn(room)).toEqual(before);
});

test('G2 everyone in a team adds others, and everyone leaves, the owner too', async () => {
  const room = await makeRoom();

  expect(await update('member', room, { add_members: ['stranger'] })).toMatchObject({ status: 200 });
  expect(await update('member', room, { remove_members: ['member'] })).toMatchObject({ status: 200 });
  expect(await update('owner', room, { remove_members: ['owner'] })).toMatchObject({ status: 200 });
  // A member who left has no rights until they are back, and then has the same role as before.
  expect(await update('owner', room, { remove_members: ['mod'] })).toMatchObject({ status: 403 });
  expect(await update('mod', room, { add_members: ['owner'] })).toMatchObject({ status: 200 });
  expect(await update('owner', room, { remove_members: ['mod'] })).toMatchObject({ status: 200 });
});

test('G2 adding, removing and granting are three rights', async () => {
  const rights = {
    'add-channel-members': { add_members: ['stranger'] },
    'remove-channel-members': { remove_members: ['member'] },
    'grant-channel-roles': { add_moderators: ['member'] },
  };
  for (const given of Object.keys(rights)) {
    const name = `rights-${++serial}`;
    const resources = ['read-channel', given];
    await chat.admin.channelTypes.create({
      name,
      permissions: [
        { name: 'one right', action: 'Allow', priority: 9, roles: ['channel_moderator'], resources },
      ],
    });
    for (const [right, body] of Object.entries(rights)) {
      const reply = await update('mod', await makeRoom(name), body);
      expect([given, right, reply.status]).toEqual([given, right, right === given ? 200 : 403]);
      if (right !== given) expect(reply.body).toContain(right);
    }
  }
});

test('G2 the data of another membership is changed only by higher roles', async () => {
  const room = await makeRoom();
  const patch = (user: string, target: string) =>
    send(user, 'PATCH', `/channels/${room.type}/${room.id}/member`, {
      target_user_id: target,
      set: { label: 'x' },
    });

  expect((await patch('member', 'other')).status).toBe(403);
  expect((await patch('mod', 'owner')).status).toBe(403);
  expect((await patch('mod', 'other')).status).toBe(200);
  expect((await patch('member', 'member')).status).toBe(200);
});

test('G2 a member demoted while their call was under way is refused', async () => {
  const room = await makeRoom();
  const [demoted, removed] = await Promise.all([
    update('owner', room, { demote_moderators: ['mod'] }),
    update('mod', room, { remove_members: ['other'] }),
  ]);
  expect(demoted.status).toBe(200);
  expect('other' in (await rolesIn(room))).toBe(removed.status !== 200);
  expect(await update('mod', room, { remove_members: ['member'] })).toMatchObject({ status: 403 });
});

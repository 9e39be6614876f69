import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

let serial = 0;
/** Ana made it, Bo is in it. */
const makeRoom = async (type = 'messaging') => {
  const path = { type, id: `doors-${++serial}` };
  await chat.admin.channels.create(type, path.id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return { path, cid: `${type}:${path.id}` };
};
const say = async (user: string, path: { type: string; id: string }, message: Record<string, unknown>) =>
  (await chat.as(user)).raw('POST', `/channels/${path.type}/${path.id}/message`, {
    body: JSON.stringify({ message }),
  });
const codeOf = ({ body }: { body: unknown }) => (body as { code?: number }).code;

test('G2 in a frozen channel nothing is edited, pinned or reacted to without the right to freeze it', async () => {
  const { path, cid } = await makeRoom();
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const send = (text: string) =>
    bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { text } } });
  const { message } = await send('mine');
  const { message: gone } = await send('gone');
  const { message: later } = await send('later');
  const on = { path: { id: message.id } };
  await bo.call('POST /messages/{id}/reaction', { ...on, body: { reaction: { type: 'like' } } });
  await bo.call('DELETE /messages/{id}', { path: { id: gone.id } });
  expect((await say('ana', path, { text: 'yes', parent_id: message.id })).status).toBe(201);
  const { poll } = await bo.call('POST /polls', { body: { name: 'When?', options: [{ text: 'now' }] } });
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: { poll_id: poll.id } } });
  await chat.admin.channels.patch(cid, { frozen: true });

  const refusals = [
    await bo.refused('PUT /messages/{id}', { ...on, body: { message: { text: 'other' } } }),
    await bo.refused('PATCH /messages/{id}', { ...on, body: { set: { text: 'other' } } }),
    await bo.refused('PATCH /messages/{id}', { ...on, body: { set: { pinned: true } } }),
    await bo.refused('POST /messages/{id}/undelete', { path: { id: gone.id } }),
    await bo.refused('POST /messages/{id}/reaction', { ...on, body: { reaction: { type: 'wow' } } }),
    await bo.refused('DELETE /messages/{id}/reaction/{type}', { path: { id: message.id, type: 'like' } }),
    await bo.refused('PATCH /polls/{id}', { path: { id: poll.id }, body: { set: { is_closed: true } } }),
    await bo.refused('POST /polls/{id}/options', { path: { id: poll.id }, body: { text: 'more' } }),
    await bo.refused('PATCH /threads/{message_id}', {
      path: { message_id: message.id },
      body: { set: { title: 'x' } },
    }),
    await bo.refused('POST /channels/{type}/{id}/event', { path, body: { event: { type: 'shout' } } }),
    await bo.refused('PATCH /channels/{type}/{id}/member', { path, body: { set: { motto: 'look' } } }),
  ];
  expect(refusals.map(({ name }) => name)).toEqual(refusals.map(() => 'NotAllowed'));
  await bo.call('PATCH /channels/{type}/{id}/member', { path, body: { set: { pinned: true } } });
  await ana.call('PATCH /messages/{id}', { ...on, body: { set: { pinned: true } } });
  await bo.call('DELETE /messages/{id}', { path: { id: later.id } });
  const state = await bo.call('POST /channels/{type}/{id}/query', { path, body: {} });
  expect(state.channel.own_capabilities).not.toContain('pin-message');
});

test('M4 slow mode waits on, whatever becomes of the message', async () => {
  const { path, cid } = await makeRoom();
  await chat.admin.channels.patch(cid, { cooldown: 60 });
  const bo = await chat.as('bo');
  const first = await say('bo', path, { id: 'slow-1', text: 'one' });
  expect(first.status).toBe(201);
  expect(codeOf(await say('bo', path, { text: 'two' }))).toBe(60);
  await bo.call('DELETE /messages/{id}', { path: { id: 'slow-1' } });
  expect(codeOf(await say('bo', path, { text: 'two' }))).toBe(60);
  await bo.call('DELETE /messages/{id}', { path: { id: 'slow-1' }, query: { hard: 'true' } });
  expect(codeOf(await say('bo', path, { text: 'two' }))).toBe(60);
  await chat.admin.channels.patch(cid, { cooldown: 0 });
  expect((await say('bo', path, { text: 'two' })).status).toBe(201);
});

const away = 'https://elsewhere.example/page';
const carried: [string, Record<string, unknown>][] = [
  ['title_link', { type: 'file', title: 'x', title_link: away }],
  ['og_scrape_url', { title: 'x', og_scrape_url: away }],
  ['author_link', { title: 'x', author_link: away }],
  ['image_url', { type: 'image', image_url: 'HTTPS://elsewhere.example/a.png' }],
  ['asset_url', { type: 'file', asset_url: away }],
  ['a field of its own', { type: 'card', actions: [{ url: away }] }],
  ['its text', { type: 'card', text: `see ${away}` }],
  ['behind a slash', { type: 'card', text: `/ ${away}` }],
  ['behind the path of a file', { type: 'card', text: `/files/aaaaaaaaaaaaaaaaaaaaaaaa/a ${away}` }],
];

test.each(carried)('G2 without send-links no link comes in an attachment: %s', async (_field, attachment) => {
  const name = `nolinks-${++serial}`;
  await chat.admin.channelTypes.create({
    name,
    permissions: [
      { name: 'all', action: 'Allow', priority: 1 },
      { name: 'no links', action: 'Deny', priority: 9, resources: ['send-links'] },
    ],
  });
  const { path } = await makeRoom(name);
  const refused = await say('bo', path, { text: 'look', attachments: [attachment] });
  expect(refused).toMatchObject({ status: 403 });
  expect(JSON.stringify(refused.body)).toContain('send-links');

  await say('bo', path, { id: `plain-${serial}`, text: 'look' });
  const edit = { path: { id: `plain-${serial}` }, body: { set: { attachments: [attachment] } } };
  expect(await (await chat.as('bo')).refused('PATCH /messages/{id}', edit)).toMatchObject({ code: 17 });
  const plain = { type: 'card', title: 'no link' };
  expect((await say('bo', path, { text: 'look', attachments: [plain] })).status).toBe(201);
});

test.each([
  'role',
  'banned',
  'online',
  'revoke_tokens_issued_before',
  'unread_count',
  'devices',
  'created_at',
  'deleted_at',
])('M1 %s is refused by name in what a person stores of themselves', async (key) => {
  const ana = await chat.as('ana');
  const set = await ana.refused('PATCH /users', { body: { users: [{ id: 'ana', set: { [key]: 'x' } }] } });
  const unset = await ana.refused('PATCH /users', { body: { users: [{ id: 'ana', unset: [key] }] } });
  const upsert = await ana.refused('POST /users', { body: { users: { ana: { id: 'ana', [key]: 'x' } } } });
  for (const refusal of [set, unset, upsert])
    expect(refusal.details?.[0]?.path ?? refusal.message).toContain(
      key === 'role' && refusal.code === 17 ? 'role' : key,
    );
  const { users } = await ana.call('POST /users/query', { body: { filter: { id: 'ana' } } });
  expect(users[0]?.[key as 'id']).not.toBe('x');
});

test.each(['role', 'banned', 'user', 'created_at', 'muted'])(
  'M1 %s is refused by name on a membership',
  async (key) => {
    const { path } = await makeRoom();
    const bo = await chat.as('bo');
    for (const body of [{ set: { [key]: 'x' } }, { unset: [key] }])
      expect(await bo.refused('PATCH /channels/{type}/{id}/member', { path, body })).toMatchObject({
        code: 4,
        details: [{ path: expect.stringContaining(key) }],
      });
  },
);

test.each(['created_by', 'member_count', 'own_capabilities', 'distinct_key', 'seq', 'deleted_at'])(
  'M1 %s is refused by name on a channel',
  async (key) => {
    const { path } = await makeRoom();
    const ana = await chat.as('ana');
    for (const body of [{ set: { [key]: 'x' } }, { unset: [key] }])
      expect(await ana.refused('PATCH /channels/{type}/{id}', { path, body })).toMatchObject({
        code: 4,
        details: [{ path: expect.stringContaining(key) }],
      });
  },
);

test('protocol 3 the word __proto__ is text like any other', async () => {
  const { path } = await makeRoom();
  const sent = await say('bo', path, { text: 'what is __proto__?', note: '__proto__' });
  expect(sent).toMatchObject({
    status: 201,
    body: { message: { text: 'what is __proto__?', note: '__proto__' } },
  });
  const escaped = '{"message":{"text":"x","\\u005f\\u005fproto__":{"polluted":1}}}';
  const reply = await (await chat.as('bo')).raw('POST', `/channels/${path.type}/${path.id}/message`, {
    body: escaped,
  });
  expect(reply.status).toBe(400);
});

test('G2 a member whose channel role may not read gets no messages', async () => {
  const name = `silent-${++serial}`;
  await chat.admin.channelTypes.create({
    name,
    permissions: [
      { name: 'members', action: 'Allow', priority: 1, roles: ['channel_member'] },
      {
        name: 'silent',
        action: 'Deny',
        priority: 9,
        roles: ['channel_moderator'],
        resources: ['read-channel'],
      },
    ],
  });
  const { path, cid } = await makeRoom(name);
  const open = await makeRoom();
  await chat.admin.channels.update(cid, { add_moderators: ['bo'] });
  const { client } = await chat.connect('bo');
  const received: string[] = [];
  const got = new Promise<void>((resolve) => {
    client.on('notification.message_new', (event) => {
      received.push(event.cid ?? '');
      if (event.cid === open.cid) resolve();
    });
  });
  await chat.admin.messages.send(`${path.type}:${path.id}`, 'ana', { text: 'secret' });
  await chat.admin.messages.send(open.cid, 'ana', { text: 'open' });
  await got;
  expect(received).toEqual([open.cid]);
});

/** A message of Bo's with a thread, a poll that is sent and one that is not, all without a link. */
const makeSpoken = async (type: string) => {
  const { path, cid } = await makeRoom(type);
  const bo = await chat.as('bo');
  const makePoll = async (name: string) =>
    (await bo.call('POST /polls', { body: { name, options: [{ text: 'now' }], allow_answers: true } })).poll;
  const poll = await makePoll('When?');
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'root', poll_id: poll.id } },
  });
  await say('bo', path, { text: 'reply', parent_id: message.id });
  const linked = await makePoll(`see ${away}`);
  return { bo, cid, names: { room: path.id, root: message.id, poll: poll.id, linked: linked.id } };
};
type Names = Awaited<ReturnType<typeof makeSpoken>>['names'];
const fill = (text: string, names: Names) =>
  Object.entries(names).reduce((filled, [key, value]) => filled.replaceAll(`{${key}}`, value), text);

const speech: [string, string, string, Record<string, unknown>][] = [
  ['custom data', 'POST', '/channels/{type}/{room}/message', { message: { text: 'x', more: { to: away } } }],
  ['edited custom data', 'PATCH', '/messages/{root}', { set: { more: [away] } }],
  ['a replaced message', 'PUT', '/messages/{root}', { message: { text: 'x', more: away } }],
  ['a reaction', 'POST', '/messages/{root}/reaction', { reaction: { type: 'like', more: away } }],
  ['the title of a thread', 'PATCH', '/threads/{root}', { set: { title: away } }],
  ['a poll that is sent', 'POST', '/channels/{type}/{room}/message', { message: { poll_id: '{linked}' } }],
  ['a changed poll', 'PATCH', '/polls/{poll}', { set: { description: away } }],
  ['custom data of a poll', 'PATCH', '/polls/{poll}', { set: { more: away } }],
  ['an option', 'POST', '/polls/{poll}/options', { text: away }],
  ['an answer', 'POST', '/messages/{root}/polls/{poll}/vote', { vote: { answer_text: away } }],
  ['the own membership', 'PATCH', '/channels/{type}/{room}/member', { set: { more: away } }],
  [
    'what follows a command',
    'POST',
    '/channels/{type}/{room}/message',
    { message: { text: 'x', command: 'me', args: away } },
  ],
  [
    'the membership of who is added',
    'POST',
    '/channels/{type}/{room}',
    { add_members: [{ user_id: 'cy', more: away }] },
  ],
  [
    'a member of a new channel',
    'POST',
    '/channels/{type}/new-{room}/query',
    { data: { members: [{ user_id: 'ana', more: [away] }] } },
  ],
];

test.each(speech)('G2 without send-links no link comes in %s', async (_where, method, address, body) => {
  const name = `nolinks-${++serial}`;
  const all = { name: 'all', action: 'Allow', priority: 1 } as const;
  await chat.admin.channelTypes.create({ name, permissions: [all] });
  const { bo, names } = await makeSpoken(name);
  const call = () =>
    bo.raw(method, fill(address.replace('{type}', name), names), { body: fill(JSON.stringify(body), names) });

  await chat.admin.channelTypes.update(name, {
    permissions: [all, { name: 'no links', action: 'Deny', priority: 9, resources: ['send-links'] }],
  });
  const refused = await call();
  await chat.admin.channelTypes.update(name, { permissions: [all] });

  expect(refused).toMatchObject({ status: 403 });
  expect(JSON.stringify(refused.body)).toContain('send-links');
  expect((await call()).status).toBeLessThan(300);
});

const named: [string, string, string, (names: Record<string, unknown>) => Record<string, unknown>][] = [
  [
    'a new message',
    'POST',
    '/channels/messaging/{room}/message',
    (of) => ({ message: { text: 'x', ...of } }),
  ],
  ['a message', 'PATCH', '/messages/{root}', (of) => ({ set: of })],
  ['a replaced message', 'PUT', '/messages/{root}', (of) => ({ message: { text: 'x', ...of } })],
  ['a thread', 'PATCH', '/threads/{root}', (of) => ({ set: of })],
  ['a new poll', 'POST', '/polls', (of) => ({ name: 'What?', options: [{ text: 'x' }], ...of })],
  ['a poll', 'PATCH', '/polls/{poll}', (of) => ({ set: of })],
  ['a reaction', 'POST', '/messages/{root}/reaction', (of) => ({ reaction: { type: 'like', ...of } })],
  ['a membership', 'PATCH', '/channels/messaging/{room}/member', (of) => ({ set: of })],
];

test.each(named)(
  'G2 a key with a meaning elsewhere is no custom data of %s',
  async (_of, method, address, body) => {
    const { bo, names } = await makeSpoken('messaging');
    for (const key of ['role', 'banned', 'revoke_tokens_issued_before', 'log_id', 'permissions']) {
      const reply = await bo.raw(method, fill(address, names), {
        body: JSON.stringify(body({ [key]: 'x' })),
      });
      expect(reply, key).toMatchObject({ status: 400 });
      expect(JSON.stringify(reply.body)).toContain(`${key} is set by the server`);
    }
    const fine = await bo.raw(method, fill(address, names), { body: JSON.stringify(body({ mood: 'x' })) });
    expect(fine.status).toBeLessThan(300);
  },
);

test('G2 a user banned from the app or the channel says nothing by membership, name or picture', async () => {
  const { path, cid } = await makeRoom();
  await chat.admin.users.upsert([{ id: 'ban', name: 'Ban' }]);
  await chat.admin.channels.addMembers(cid, ['ban']);
  const ban = await chat.as('ban');
  const own = 'PATCH /channels/{type}/{id}/member';
  const shout = { path, body: { set: { shout: 'still here' } } };
  const rename = { body: { users: [{ id: 'ban', set: { name: 'still here' } }] } };
  await ban.call(own, shout);
  const setBanned = async (table: 'users' | 'members', banned: boolean) => {
    const { kernel } = chat.server;
    const key = table === 'users' ? 'id' : 'user_id';
    await kernel.pools.pool.query(`update ${table} set banned = $1 where ${key} = 'ban'`, [banned]);
    kernel.bus.publish({ kind: 'stale', what: 'user', key: 'ban' });
    kernel.bus.publish({ kind: 'stale', what: 'member', key: cid, userId: 'ban' });
  };

  await setBanned('members', true);
  expect(await ban.refused(own, shout)).toMatchObject({ name: 'NotAllowed' });
  await setBanned('members', false);
  await setBanned('users', true);

  expect(await ban.refused(own, shout)).toMatchObject({ name: 'NotAllowed' });
  expect(await ban.refused('PATCH /users', rename)).toMatchObject({ name: 'NotAllowed' });
  const upsert = { body: { users: { ban: { id: 'ban', name: 'still here' } } } };
  expect(await ban.refused('POST /users', upsert)).toMatchObject({ name: 'NotAllowed' });
  await ban.call(own, { path, body: { set: { pinned: true } } });
  // A connection may name its user: the stored name stays.
  const { me } = await ban.call('POST /longpoll', {
    body: { payload: { user_id: 'ban', user_details: { id: 'ban', name: 'still here' } } },
  });
  expect(me).toMatchObject({ name: 'Ban' });
  await setBanned('users', false);
  await ban.call('PATCH /users', rename);
});

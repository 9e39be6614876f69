import { type Capability, permissionRuleAllowAll, permissionRuleDenyAll } from '@parley/protocol';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Rule = {
  name: string;
  action: 'Allow' | 'Deny';
  priority: number;
  resources?: string[];
  roles?: string[];
  owner?: boolean;
};

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

const allow = (priority: number, more: Partial<Rule> = {}): Rule => ({
  name: `allow ${priority}`,
  action: 'Allow',
  priority,
  ...more,
});
const deny = (priority: number, more: Partial<Rule> = {}): Rule => ({
  ...allow(priority, more),
  name: `deny ${priority}`,
  action: 'Deny',
});
/** The server itself must be able to work in the type. */
const forServer = allow(998, { roles: ['admin'] });

let serial = 0;
/** A channel of a new type with these rules; Bo made it, Ana and Bo are in it, Cy is not. */
const makeRoom = async (rules: Rule[]) => {
  const name = `type-${++serial}`;
  await chat.admin.channelTypes.create({ name, permissions: [forServer, ...rules] });
  await chat.admin.channels.create(name, 'room', { created_by_id: 'bo', members: ['ana', 'bo'] });
  return { type: name, id: 'room' };
};

const maySend = async (user: string, path: { type: string; id: string }): Promise<boolean> => {
  const raw = await chat.as(user);
  const body = JSON.stringify({ message: { text: 'may I?' } });
  const { status } = await raw.raw('POST', `/channels/${path.type}/${path.id}/message`, { body });
  expect([201, 403]).toContain(status);
  return status === 201;
};

test.each<[string, Rule[], boolean]>([
  ['no rule: denied', [], false],
  ['allow all', [allow(1)], true],
  ['allow over deny', [deny(1), allow(2)], true],
  ['deny over allow', [allow(1), deny(2)], false],
  ['the order of the list does not matter', [deny(2), allow(1)], false],
  ['a tie is denied', [allow(5), deny(5)], false],
  ['a tie is denied in either order', [deny(5), allow(5)], false],
  [
    'the ready rules: allow all 999 over deny all 1',
    [{ ...ready(permissionRuleAllowAll) }, { ...ready(permissionRuleDenyAll) }],
    true,
  ],
  ['a named resource', [allow(9, { resources: ['read-channel', 'send-message'] })], true],
  ['another resource', [allow(9, { resources: ['read-channel'] })], false],
  ['a wildcard resource', [allow(9, { resources: ['*'] })], true],
  ['a denied resource above', [allow(1), deny(2, { resources: ['send-message'] })], false],
  ['a denied other resource', [allow(1), deny(2, { resources: ['delete-message'] })], true],
  ['a role of the user', [allow(9, { roles: ['user'] })], true],
  ['a role of the member', [allow(9, { roles: ['channel_member'] })], true],
  ['another role', [allow(9, { roles: ['moderator'] })], false],
  ['a denied role above', [allow(1), deny(2, { roles: ['user'] })], false],
  [
    'an owner rule is not for Ana',
    [allow(1, { resources: ['read-channel'] }), allow(9, { owner: true })],
    false,
  ],
])('G2 %s', async (_title, rules, expected) => {
  expect(await maySend('ana', await makeRoom(rules))).toBe(expected);
});

function ready(rule: typeof permissionRuleAllowAll | typeof permissionRuleDenyAll): Rule {
  return { ...rule, resources: [...rule.resources], roles: [...rule.roles] };
}

test('G2 an owner rule is for who made it: Bo may, Ana may not', async () => {
  const rules = [allow(1, { resources: ['read-channel'] }), allow(9, { owner: true })];
  const path = await makeRoom(rules);
  const patch = async (user: string) =>
    (
      await (
        await chat.as(user)
      ).raw('PATCH', `/channels/${path.type}/room`, { body: '{"set":{"name":"x"}}' })
    ).status;

  expect([await patch('bo'), await patch('ana')]).toEqual([200, 403]);
});

test('G2 own messages and those of others are two things', async () => {
  const path = await makeRoom([
    allow(1, { resources: ['read-channel', 'send-message'] }),
    allow(9, { resources: ['update-message', 'delete-message'], owner: true }),
  ]);
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'mine' } },
  });
  const id = { path: { id: message.id } };

  const refused = await bo.refused('PATCH /messages/{id}', { ...id, body: { set: { text: 'yours' } } });
  expect(refused).toMatchObject({ code: 17, message: expect.stringContaining('update-message') });
  await ana.call('PATCH /messages/{id}', { ...id, body: { set: { text: 'still mine' } } });
  expect((await bo.refused('DELETE /messages/{id}', id)).code).toBe(17);
  await ana.call('DELETE /messages/{id}', id);
});

test('G2 resources and roles are wildcard by default, and kept so', async () => {
  const type = await chat.admin.channelTypes.create({
    name: 'defaults',
    permissions: [{ name: 'bare', action: 'Allow', priority: 7 }],
  });

  expect(type.permissions).toEqual([
    { name: 'bare', action: 'Allow', priority: 7, resources: ['*'], roles: ['*'] },
  ]);
  const { rules, permissions } = await chat.admin.permissions.list();
  expect(rules).toMatchObject([
    { action: 'Allow', priority: 999, resources: ['*'], roles: ['*'] },
    { action: 'Deny', priority: 1, resources: ['*'], roles: ['*'] },
  ]);
  expect(permissions).toContain('send-message' satisfies Capability);
});

test('G2 rules that make no sense are refused by name', async () => {
  const server = await chat.as();
  const refuse = (permissions: unknown) =>
    server.refused('PUT /channeltypes/{name}', {
      path: { name: 'messaging' },
      body: { permissions },
    });

  expect(await refuse([allow(1, { resources: ['fly'] })])).toMatchObject({
    code: 4,
    details: [{ path: 'permissions.0.resources.0' }],
  });
  for (const rule of [allow(0), allow(1000), { ...allow(1), action: 'Maybe' }, { ...allow(1), wings: true }])
    expect(await refuse([rule])).toMatchObject({ code: 4 });
});

test('G2 a custom role gets what its rules say, and goes when nobody has it', async () => {
  await chat.admin.roles.create('editor');
  const path = await makeRoom([allow(9, { roles: ['editor'] })]);
  expect(await maySend('cy', path)).toBe(false);

  await chat.admin.users.upsert([{ id: 'cy', role: 'editor' }]);
  expect(await maySend('cy', path)).toBe(true);

  const server = await chat.as();
  expect(await server.refused('DELETE /roles/{name}', { path: { name: 'editor' } })).toMatchObject({
    code: 4,
  });
  await chat.admin.users.upsert([{ id: 'cy', role: 'user' }]);
  expect(await maySend('cy', path)).toBe(false);
  await chat.admin.roles.delete('editor');
  expect((await chat.admin.roles.list()).map(({ name }) => name)).not.toContain('editor');
});

test('G2 unknown, doubled and built-in roles', async () => {
  const server = await chat.as();

  const unknown = await server.refused('POST /users', {
    body: { users: { cy: { id: 'cy', role: 'queen' } } },
  });
  const doubled = await server.refused('POST /roles', { body: { name: 'user' } });
  const builtIn = await server.refused('DELETE /roles/{name}', { path: { name: 'admin' } });
  const missing = await server.refused('DELETE /roles/{name}', { path: { name: 'nowhere' } });

  expect([unknown.code, doubled.code, builtIn.code, missing.code]).toEqual([4, 6, 17, 16]);
});

test('G2 a user gives itself no role, nor a channel role', async () => {
  const ana = await chat.as('ana');
  const path = await makeRoom([allow(1, { resources: ['read-channel', 'join-channel'] })]);

  const upsert = await ana.refused('POST /users', { body: { users: { ana: { id: 'ana', role: 'admin' } } } });
  const patch = await ana.refused('PATCH /users', {
    body: { users: [{ id: 'ana', set: { role: 'admin' } }] },
  });
  const other = await ana.refused('PATCH /users', { body: { users: [{ id: 'bo', set: { name: 'B' } }] } });
  const join = await (await chat.as('cy')).refused('POST /channels/{type}/{id}', {
    path,
    body: { add_members: [{ user_id: 'cy', channel_role: 'channel_moderator' }] },
  });
  const own = await ana.refused('PATCH /channels/{type}/{id}/member', {
    path,
    body: { set: { channel_role: 'channel_moderator' } },
  });

  expect([upsert, patch, other, join, own].map(({ code }) => code)).toEqual([17, 17, 17, 17, 17]);
});

test('G2 channel types: make, change, refuse doubles, delete when unused', async () => {
  const server = await chat.as();
  await chat.admin.channelTypes.create({ name: 'club', typing_events: false, max_message_length: 10 });
  await chat.admin.channels.create('club', 'one', { created_by_id: 'ana', members: ['ana'] });
  const ana = await chat.as('ana');
  const path = { type: 'club', id: 'one' };

  const long = await ana.refused('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'x'.repeat(11) } },
  });
  expect(long).toMatchObject({ code: 22, status: 413 });
  expect(await server.refused('POST /channeltypes', { body: { name: 'club' } })).toMatchObject({ code: 6 });
  expect(await server.refused('DELETE /channeltypes/{name}', { path: { name: 'club' } })).toMatchObject({
    code: 4,
  });
  await chat.admin.channels.delete('club:one', { hard: true });
  await chat.admin.channelTypes.delete('club');
  expect(await server.refused('GET /channeltypes/{name}', { path: { name: 'club' } })).toMatchObject({
    code: 16,
  });
});

test('G2 the creator of a channel gets no capability to change messages of others', async () => {
  await using chat = await createTestChat({ users: ['ana', 'bo'] });
  const path = { type: 'messaging', id: 'made' };
  await chat.admin.channels.create('messaging', 'made', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const said = { path, body: { message: { text: 'mine' } } };
  const { message } = await bo.call('POST /channels/{type}/{id}/message', said);
  const body = { state: false };
  const { channel } = await ana.call('POST /channels/{type}/{id}/query', { path, body });

  expect(channel.own_capabilities).toContain('update-channel');
  expect(channel.own_capabilities).not.toContain('update-message');
  const edit = { path: { id: message.id }, body: { message: { text: 'theirs' } } };
  expect(await ana.refused('PUT /messages/{id}', edit)).toMatchObject({ name: 'NotAllowed' });
});

test('G2 own_capabilities say what the person may do', async () => {
  const path = await makeRoom([
    allow(1, { resources: ['read-channel', 'send-message'], roles: ['channel_member'] }),
  ]);
  const ana = await chat.as('ana');

  const { channel } = await ana.call('POST /channels/{type}/{id}/query', { path, body: {} });

  expect([...(channel.own_capabilities ?? [])].sort()).toEqual(['read-channel', 'send-message']);
});

test('G2 a channel one may not read is hidden from queries, sync and single calls', async () => {
  const path = await makeRoom([allow(1, { roles: ['channel_member'] })]);
  const cid = `${path.type}:room`;
  const [ana, cy] = [await chat.as('ana'), await chat.as('cy')];
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'secret' } },
  });

  const found = await cy.call('POST /channels', { body: { filter: { type: path.type } } });
  const synced = await cy.call('POST /sync', { body: { cursors: { [cid]: 0 } } });
  const refusals = [
    await cy.refused('POST /channels/{type}/{id}/query', { path, body: {} }),
    await cy.refused('GET /messages/{id}', { path: { id: message.id } }),
    await cy.refused('GET /messages/{id}/replies', { path: { id: message.id } }),
    await cy.refused('GET /channels/{type}/{id}/messages', { path, query: { ids: message.id } }),
    await cy.refused('POST /members/query', { body: path }),
    await cy.refused('POST /messages/{id}/reaction', {
      path: { id: message.id },
      body: { reaction: { type: 'x' } },
    }),
    await cy.refused('POST /messages/{id}/reactions/query', { path: { id: message.id }, body: {} }),
    await cy.refused('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'x' } } }),
    await cy.refused('POST /channels/{type}/{id}/truncate', { path, body: {} }),
    await cy.refused('DELETE /channels/{type}/{id}', { path }),
  ];

  expect(found.channels).toEqual([]);
  expect(synced).toEqual({ events: [], resync: [cid] });
  expect(refusals.map(({ code }) => code)).toEqual(refusals.map(() => 17));
});

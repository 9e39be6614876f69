import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket } from './support.ts';
import { signed, uploaderOf } from './upload-support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

const everything = { name: 'all', action: 'Allow', priority: 1 } as const;

test('M12 a pending message that the server commits carries no file that its author may no longer read', async () => {
  await chat.admin.channels.create('team', 'closed', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await chat.admin.channels.create('team', 'open', { created_by_id: 'bo', members: ['bo', 'cy'] });
  const [ana, bo, cy] = [
    await uploaderOf(chat, 'ana'),
    await uploaderOf(chat, 'bo'),
    await uploaderOf(chat, 'cy'),
  ];
  const server = await chat.as();
  const attachments = async (fields: Record<string, string>) => {
    const { body } = await ana.upload('/uploads/file', 'secret', 'a.txt', fields);
    return [{ type: 'file', asset_url: body.file }];
  };
  const files = await attachments({ cid: 'team:closed' });
  await ana.caller.call('POST /channels/{type}/{id}/message', {
    path: { type: 'team', id: 'closed' },
    body: { message: { text: 'see', attachments: files } },
  });
  const hold = async (id: string) =>
    bo.caller.call('POST /channels/{type}/{id}/message', {
      path: { type: 'team', id: 'open' },
      body: { message: { id, text: 'look', attachments: files }, pending: true },
    });
  await hold('while-in');
  await hold('after-leaving');
  const commit = { path: { id: 'while-in' } };

  await server.call('POST /messages/{id}/commit', commit);
  await server.call('DELETE /messages/{id}', { ...commit, query: { hard: 'true' } });
  await chat.admin.channels.removeMembers('team:closed', ['bo']);
  const refusal = await server.refused('POST /messages/{id}/commit', { path: { id: 'after-leaving' } });

  expect(refusal).toMatchObject({
    name: 'NotAllowed',
    details: [{ path: 'message.attachments.0.asset_url' }],
  });
  expect(await signed(cy, files[0]?.asset_url ?? '')).toBeUndefined();
});

test('G2 a user who may not read a channel is not notified when it is emptied or deleted', async () => {
  const name = 'unread';
  await chat.admin.channelTypes.create({ name, permissions: [everything] });
  for (const id of ['one', 'two'])
    await chat.admin.channels.create(name, id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const received: string[] = [];
  const listen = async (user: string) => {
    const { client } = await chat.connect(user);
    client.on('all', ({ type }) => received.push(`${user} ${type}`));
  };
  await listen('ana');
  await listen('bo');
  await chat.admin.users.upsert([{ id: 'bo', role: 'guest' }]);
  await chat.admin.channelTypes.update(name, {
    permissions: [everything, { name: 'no', action: 'Deny', priority: 9, roles: ['guest'] }],
  });

  await chat.admin.channels.truncate(`${name}:one`);
  await chat.admin.channels.delete(`${name}:two`);
  await until(() => received.includes('ana notification.channel_deleted'), 'Ana to be notified of it');
  await chat.admin.channels.create('messaging', 'marker', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await until(() => received.includes('bo notification.added_to_channel'), 'the marker');

  expect(received).toContain('ana notification.channel_truncated');
  expect(received.filter((line) => line.startsWith('bo notification.channel_'))).toEqual([]);
  await chat.admin.users.upsert([{ id: 'bo', role: 'user' }]);
});

test('G2 a user deactivated while they connect is not connected', async () => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  const socket = openSocket(chat);
  await socket.opened;
  await database.query("begin; update users set deactivated_at = now() where id = 'cy'");

  socket.send(connectFrame(await chat.token('cy'), { user_details: { id: 'cy', name: 'Cyan' } }));
  await until(async () => {
    const { rows } = await chat.server.kernel.pools.pool.query(
      "select from pg_locks where not granted and locktype = 'transactionid'",
    );
    return rows.length > 0;
  }, 'the connection to wait for the row');
  await database.query('commit');
  const { code } = await socket.closed;

  expect(code).toBe(4401);
  expect(socket.frames.map(({ type }) => type)).toEqual(['connection.error']);
  await database.query("update users set deactivated_at = null where id = 'cy'");
  await database.end();
});

test('P62 a reminder or a reaction does not show the text of a message that its reader has cleared', async () => {
  const path = { type: 'messaging', id: 'cleared' };
  await chat.admin.channels.create('messaging', 'cleared', { created_by_id: 'ana', members: ['ana', 'bo'] });
  const [one, two] = [
    await chat.admin.messages.send('messaging:cleared', 'ana', { text: 'secret' }),
    await chat.admin.messages.send('messaging:cleared', 'ana', { text: 'secret too' }),
  ];
  const bo = await chat.as('bo');
  await bo.call('POST /messages/{id}/reminders', { path: { id: one.id }, body: {} });
  await bo.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });

  const refusals = [
    await bo.refused('POST /messages/{id}/reminders', { path: { id: two.id }, body: {} }),
    await bo.refused('PATCH /messages/{id}/reminders', { path: { id: one.id }, body: { note: 'x' } }),
    await bo.refused('POST /messages/{id}/reaction', {
      path: { id: two.id },
      body: { reaction: { type: 'like' } },
    }),
  ];

  expect(refusals.map(({ name }) => name)).toEqual(['NotFound', 'NotFound', 'NotFound']);
});

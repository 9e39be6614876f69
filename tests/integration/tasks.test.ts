import { tasks as tasksFeature } from '@parley/client/tasks';
import { createTestChat, createTestClock, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
});
afterAll(() => chat.stop());

let count = 0;
const makeChannel = async (owner: string, on = chat): Promise<string> => {
  const path = { type: 'messaging', id: `task-${count++}` };
  const caller = await on.as(owner);
  await caller.call('POST /channels/{type}/{id}/query', { path, body: { data: { members: ['ana', 'bo'] } } });
  return `${path.type}:${path.id}`;
};

test('M14 many channels are deleted as a task, and everybody in them is notified of it', async () => {
  const cids = [await makeChannel('ana'), await makeChannel('ana'), await makeChannel('ana')];
  const { client } = await chat.connect('ana');
  const bo = await chat.connect('bo');
  const gone: string[] = [];
  bo.client.on('notification.channel_deleted', ({ channel }) => gone.push(channel.cid));
  const tasks = client.feature(tasksFeature);

  const task = await tasks.wait(await tasks.deleteChannels(cids), { everyMs: 20 });

  expect(task).toMatchObject({ status: 'completed', progress: 100 });
  expect(task.result).toEqual({ channels: Object.fromEntries(cids.map((cid) => [cid, 'deleted'])) });
  await until(() => gone.length === 3, 'the notices');
});

test('M14 a task is begun with 202; the server may delete for good', async () => {
  const server = await chat.as();
  const [kept, lost] = [await makeChannel('ana'), await makeChannel('ana')];
  const body = JSON.stringify({ cids: [kept, lost], hard_delete: true });

  const { status, body: reply } = await server.raw('POST', '/channels/delete', { body });
  const path = { id: (reply as { task_id: string }).task_id };
  await vi.waitFor(async () =>
    expect((await server.call('GET /tasks/{id}', { path })).status).toBe('completed'),
  );

  expect(status).toBe(202);
  const { rows } = await chat.server.kernel.pools.pool.query('select 1 from channels where cid = any($1)', [
    [kept, lost],
  ]);
  expect(rows).toEqual([]);
});

test('M14 the server deletes for good what was deleted softly, by a call or a task; nobody else does', async () => {
  const [server, ana] = [await chat.as(), await chat.as('ana')];
  const [one, other] = [await makeChannel('ana'), await makeChannel('ana')];
  const pathOf = (cid: string) => ({ type: 'messaging', id: cid.slice('messaging:'.length) });
  for (const cid of [one, other]) await server.call('DELETE /channels/{type}/{id}', { path: pathOf(cid) });
  const query = { hard_delete: 'true' };

  const refusal = await ana.refused('DELETE /channels/{type}/{id}', { path: pathOf(one), query });
  await server.call('DELETE /channels/{type}/{id}', { path: pathOf(one), query });
  const { task_id: id } = await server.call('POST /channels/delete', {
    body: { cids: [other], hard_delete: true },
  });
  await vi.waitFor(async () =>
    expect((await server.call('GET /tasks/{id}', { path: { id } })).status).toBe('completed'),
  );

  expect(refusal.status).toBe(404);
  const { pool } = chat.server.kernel.pools;
  const { rows } = await pool.query('select 1 from channels where cid = any($1)', [[one, other]]);
  expect(rows).toEqual([]);
});

test('M14 a caller who may not delete one of them deletes none', async () => {
  const [own, other] = [await makeChannel('ana'), await makeChannel('bo')];
  const ana = await chat.as('ana');

  const refusal = await ana.refused('POST /channels/delete', { body: { cids: [own, other] } });
  const hard = await ana.refused('POST /channels/delete', { body: { cids: [own], hard_delete: true } });
  const empty = await ana.refused('POST /channels/delete', { body: { cids: [] } });

  expect([refusal.code, hard.code, empty.code]).toEqual([17, 17, 4]);
  const { channels } = await ana.call('POST /channels', { body: { filter: { cid: own } } });
  expect(channels).toHaveLength(1);
});

test('M14 channels that are gone already keep no living one from being deleted, and the result names them', async () => {
  const [soft, hard, living] = [await makeChannel('ana'), await makeChannel('ana'), await makeChannel('ana')];
  await chat.admin.channels.delete(soft);
  await chat.admin.channels.delete(hard, { hard: true });
  const { client } = await chat.connect('ana');

  const own = await client.feature(tasksFeature).deleteAll([hard, soft, living], { everyMs: 20 });
  const id = await chat.admin.channels.deleteMany([hard, living, 'messaging:never'], { hard: true });
  const { result } = await chat.admin.tasks.wait(id, { everyMs: 20 });

  expect(own.deleted).toEqual([living]);
  expect(own.gone.sort()).toEqual([soft, hard].sort());
  expect(result).toEqual({ channels: { [hard]: 'gone', 'messaging:never': 'gone', [living]: 'deleted' } });
});

test('M14 a channel made under the name of one that was gone is not deleted by the task', async () => {
  await using own = await createTestChat({ users: ['ana', 'bo'] });
  const [server, cid] = [await own.as(), 'messaging:anew'];
  const living = await makeChannel('ana', own);
  const pool = own.server.kernel.pools.pool;
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from channels where cid = $1 for update', [living]);

  const { task_id: id } = await server.call('POST /channels/delete', { body: { cids: [living, cid] } });
  await own.admin.channels.create('messaging', 'anew', { created_by_id: 'ana' });
  await holder.query('commit');
  holder.release();
  const { result } = await own.admin.tasks.wait(id, { everyMs: 20 });

  expect(result).toEqual({ channels: { [cid]: 'gone', [living]: 'deleted' } });
  expect((await own.admin.channels.query({ filter: { cid } })).channels).toHaveLength(1);
});

test('M14 a task is seen by who began it and by the server', async () => {
  const cid = await makeChannel('ana');
  const [ana, cy, server] = await Promise.all([chat.as('ana'), chat.as('cy'), chat.as()]);
  const { task_id: id } = await ana.call('POST /channels/delete', { body: { cids: [cid] } });

  expect((await server.call('GET /tasks/{id}', { path: { id } })).task_id).toBe(id);
  expect(await cy.refused('GET /tasks/{id}', { path: { id } })).toMatchObject({ code: 16 });
  expect(await ana.refused('GET /tasks/{id}', { path: { id: 'none' } })).toMatchObject({ code: 16 });
});

test('M14 a task whose server died is taken again after its lease, and not before', async () => {
  const clock = createTestClock();
  await using own = await createTestChat({ users: ['ana', 'bo'], overrides: { clock } });
  const cid = await makeChannel('ana', own);
  const server = await own.as();
  const leased = (ms: number) => new Date(clock.now() + ms).toISOString();
  await own.server.kernel.pools.pool.query(
    `insert into tasks (id, kind, status, input, attempts, leased_until, created_at, updated_at)
     values ('dead', 'delete-channels', 'running', $1, 1, $2, $3, $3)`,
    [JSON.stringify({ cids: [cid], hard: false }), leased(12_000), leased(0)],
  );
  const status = async () => (await server.call('GET /tasks/{id}', { path: { id: 'dead' } })).status;

  clock.advance(6000);
  expect(await status()).toBe('running');
  await vi.waitFor(async () => {
    clock.advance(6000);
    expect(await status()).toBe('completed');
  });
});

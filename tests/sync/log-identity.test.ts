import { type TestClient, until } from '@parley/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { closeClient, connectObserver, createScene, type Scene, setUpWorld } from './scene.ts';
import { openFully, pause, serverSeq, stateOf, untilRecovered, verifyLaw } from './verify.ts';

const world = setUpWorld();

const inDatabase = async <T>(
  { world: { chat } }: Scene,
  run: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  return run(client).finally(() => client.end());
};

/** Puts the channel back to where it was at `seq`, as a backup does. */
const restore = (scene: Scene, seq: number) =>
  inDatabase(scene, async (client) => {
    await client.query('delete from events where cid = $1 and seq > $2', [scene.cid, seq]);
    await client.query('delete from messages where cid = $1 and seq > $2', [scene.cid, seq]);
    await client.query(
      `update channels set seq = $2, last_message_at = m.at, last_number = m.number from (
        select max(created_at) as at, max(number) as number from messages where cid = $1) m where cid = $1`,
      [scene.cid, seq],
    );
    await client.query(
      'update members set read_number = 0, read_version = 0, delivered_number = 0 where cid = $1',
      [scene.cid],
    );
  });

const textsAt = (observer: TestClient, cid: string): string[] =>
  (stateOf(observer, cid)?.messages ?? []).map(({ text }) => text ?? '');

/** Counts the calls of the observer from now on. */
const countCalls = ({ faults }: TestClient): (() => number) => {
  let count = 0;
  faults.onCall((url) => {
    count += 1;
    return url.includes('/delivered') ? 'refuse' : undefined;
  });
  return () => count;
};

test('S27 a cursor of another log gets resync, one of this log its events, a number alone is taken as it is', async () => {
  const scene = await createScene(world());
  const { zed, cid, type, id } = scene;
  const state = await zed.caller.call('POST /channels/{type}/{id}/query', { path: { type, id }, body: {} });
  await scene.bo.send({ text: 'after' });
  const ask = async (cursor: number | { seq: number; log_id?: string; at?: string }) => {
    const reply = await zed.caller.call('POST /sync', { body: { cursors: { [cid]: cursor } } });
    return reply.resync.length > 0 ? 'resync' : reply.events.length;
  };
  const { seq, log_id, seq_at = '' } = state;

  expect(await ask(seq)).toBe(1);
  expect(await ask({ seq, log_id })).toBe(1);
  expect(await ask({ seq, log_id, at: seq_at })).toBe(1);
  expect(await ask({ seq, log_id: 'another' })).toBe('resync');
  expect(await ask({ seq, log_id, at: '2020-01-01T00:00:00.000Z' })).toBe('resync');
  expect(await ask({ seq: 0, log_id: 'another' })).toBe('resync');
});

test('S27 a channel that was deleted and made anew, with as many events, is shown as it is now', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  const before = await serverSeq(scene);
  observer.faults.goOffline();
  await scene.server.deleteChannel({ hard: true });
  await scene.world.callers.server.call('POST /channels/{type}/{id}/query', {
    path: { type: scene.type, id: scene.id },
    query: { user_id: 'bo' },
    body: { data: { name: 'Anew', members: ['ana', 'bo', 'cy', 'zed'], created_by_id: 'bo' } },
  });
  for (let seq = await serverSeq(scene); seq < before; seq++) await scene.bo.send({ text: `anew ${seq}` });
  const calls = countCalls(observer);

  await untilRecovered(observer, observer.faults.restore);
  await scene.bo.send({ text: 'and on' });

  await until(() => textsAt(observer, scene.cid).at(-1) === 'and on', 'the live message');
  expect(textsAt(observer, scene.cid).every((text) => /^(anew \d+|and on)$/.test(text))).toBe(true);
  await verifyLaw(scene, observer);
  expect(calls()).toBeLessThan(20);
  await closeClient(observer);
});

test.each(['fewer', 'as many', 'more'])(
  'S27 after a restore from a backup with %s events since, the client shows what the server has',
  async (kind) => {
    const scene = await createScene(world());
    const observer = await connectObserver(world());
    const kept = await serverSeq(scene);
    await openFully(observer, scene);
    for (const n of [1, 2, 3]) await scene.bo.send({ text: `lost ${n}` });
    await until(() => textsAt(observer, scene.cid).at(-1) === 'lost 3', 'what will be lost');
    observer.faults.goOffline();
    await restore(scene, kept);
    const count = { fewer: 1, 'as many': 3 }[kind] ?? 5;
    for (let n = 0; n < count; n++) await scene.bo.send({ text: `since ${n}` });
    const calls = countCalls(observer);

    await untilRecovered(observer, observer.faults.restore);
    await until(() => textsAt(observer, scene.cid).at(-1) === `since ${count - 1}`, 'what was said since');

    expect(textsAt(observer, scene.cid).join()).not.toContain('lost');
    await scene.bo.send({ text: 'and on' });
    await until(() => textsAt(observer, scene.cid).at(-1) === 'and on', 'the live message');
    await pause(300);
    expect(calls()).toBeLessThan(20);
    await closeClient(observer);
  },
);

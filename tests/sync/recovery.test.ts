import { limits } from '@parley/protocol';
import { until } from '@parley/testkit';
import pg from 'pg';
import { expect, test } from 'vitest';
import { closeClient, connectObserver, createScene, type Scene, setUpWorld } from './scene.ts';
import { openFully, pause, readLog, serverSeq, stateOf, untilRecovered, verifyLaw } from './verify.ts';

const world = setUpWorld();

const forgetLog = async ({ cid, world: { chat } }: Scene): Promise<void> => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  await client.query('delete from events where cid = $1', [cid]);
  await client.end();
};

test('S2 the numbers of a channel grow by exactly one, however many write at once', async () => {
  const scene = await createScene(world());
  const { ana, bo, cy, zed, second } = scene;

  await Promise.all([
    ...Array.from({ length: 20 }, (_, n) => (n % 2 ? ana : bo).send({ text: `number ${n}` })),
    ...['a', 'b', 'c'].map((type) => cy.react(second, type)),
    zed.read(),
    bo.edit(second, 'edited'),
    bo.patch({ name: 'Busy' }),
  ]);

  expect(await readLog(scene, 0)).toHaveLength(await serverSeq(scene));
});

test('S4 a hole is filled by one sync call, and what came early is not asked for twice', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  const syncs: string[] = [];
  observer.faults.onCall((url) => {
    if (url.includes('/sync')) syncs.push(url);
    return url.includes('/delivered') ? 'refuse' : undefined;
  });
  let frames = 0;
  observer.faults.onFrame((json) => (json.includes('"message.new"') && ++frames === 1 ? 'drop' : undefined));

  for (const text of ['lost', 'early', 'early too']) await scene.bo.send({ text });
  await verifyLaw(scene, observer);

  expect(syncs).toHaveLength(1);
  await closeClient(observer);
});

test('S4 a sync call that fails is tried again', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  let refusals = 0;
  observer.faults.onCall((url) =>
    (url.includes('/sync') && ++refusals === 1) || url.includes('/delivered') ? 'refuse' : undefined,
  );
  let frames = 0;
  observer.faults.onFrame((json) => (json.includes('"message.new"') && ++frames === 1 ? 'drop' : undefined));

  for (const text of ['lost', 'early']) await scene.bo.send({ text });

  await verifyLaw(scene, observer);
  expect(refusals).toBeGreaterThan(1);
  await closeClient(observer);
});

test('S5 a gap that the log no longer holds is closed by a fresh snapshot', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);

  observer.faults.goOffline();
  await scene.bo.send({ text: 'not in the log any more' });
  await scene.bo.remove(scene.second, { hard: true });
  await forgetLog(scene);
  await untilRecovered(observer, observer.faults.restore);

  await verifyLaw(scene, observer);
  await closeClient(observer);
});

test('S5 sync answers with resync for a channel that may not be read, and says nothing else', async () => {
  const scene = await createScene(world());
  await scene.server.change({ remove_members: ['cy'] });

  const reply = await scene.cy.caller.call('POST /sync', { body: { cursors: { [scene.cid]: 1 } } });

  expect(reply).toEqual({ events: [], resync: [scene.cid] });
});

test('S5 an answer of sync ends after 1 MiB, names what goes on, and the client asks until it has all', async () => {
  const [first, second] = [await createScene(world()), await createScene(world())];
  const observer = await connectObserver(world());
  for (const scene of [first, second]) await openFully(observer, scene);
  const from = { [first.cid]: await serverSeq(first), [second.cid]: await serverSeq(second) };
  observer.faults.goOffline();
  for (const { bo } of [first, second])
    await Promise.all(Array.from({ length: 70 }, (_, n) => bo.send({ text: `${n} ${'x'.repeat(19_900)}` })));

  const page = await first.cy.caller.call('POST /sync', { body: { cursors: from } });
  const bytes = JSON.stringify(page).length;
  const syncs: string[] = [];
  observer.faults.onCall((url) => (url.includes('/sync') ? void syncs.push(url) : undefined));
  await untilRecovered(observer, observer.faults.restore);

  expect(page.more).toEqual([first.cid, second.cid]);
  expect(bytes).toBeGreaterThan(900_000);
  expect(bytes).toBeLessThan(limits.syncBytes + 30_000);
  for (const scene of [first, second]) await verifyLaw(scene, observer);
  expect(syncs.length).toBeGreaterThanOrEqual(3);
  await closeClient(observer);
});

test('S6 after a reconnect the newest channels are live again and the rest wait to be opened', async () => {
  const scenes: Scene[] = [];
  for (let n = 0; n <= limits.recoverChannels; n += 1) scenes.push(await createScene(world()));
  const [oldest, newest] = [scenes[0], scenes.at(-1)];
  if (!oldest || !newest) throw new Error('No scenes');
  const observer = await connectObserver(world());
  for (const scene of scenes) await openFully(observer, scene);

  await untilRecovered(observer, observer.faults.cutSockets);
  await Promise.all([oldest, newest].map(({ bo }) => bo.send({ text: 'after' })));
  await verifyLaw(newest, observer);

  expect(stateOf(observer, oldest.cid)?.isStale).toBe(true);
  await openFully(observer, oldest);
  await verifyLaw(oldest, observer);
  await closeClient(observer);
});

test('S8 a send whose answer was lost is stored and shown once', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  let sends = 0;
  observer.faults.onCall((url, method) =>
    method === 'POST' && url.includes('/message') && ++sends === 1 ? 'lose' : undefined,
  );

  await observer.client.messages.send(scene.cid, { text: 'once' });

  expect(sends).toBe(2);
  await verifyLaw(scene, observer);
  expect(stateOf(observer, scene.cid)?.messages.filter(({ text }) => text === 'once')).toHaveLength(1);
  await closeClient(observer);
});

test('S8 a message typed offline is shown at once and sent in order after the reconnect', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);

  observer.faults.goOffline();
  const sent = ['one', 'two'].map((text) => observer.client.messages.send(scene.cid, { text }));
  const shown = stateOf(observer, scene.cid)?.messages.slice(-2);
  await scene.bo.send({ text: 'meanwhile' });
  observer.faults.restore();
  await Promise.all(sent);

  expect(shown?.map(({ text, status }) => [text, status])).toEqual([
    ['one', 'sending'],
    ['two', 'sending'],
  ]);
  await verifyLaw(scene, observer);
  const texts = stateOf(observer, scene.cid)?.messages.map(({ text }) => text);
  expect(texts?.slice(-3)).toEqual(['meanwhile', 'one', 'two']);
  await closeClient(observer);
});

test('S9 a refused change leaves nothing behind', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  const ref = { cid: scene.cid, id: scene.second };

  // The part of the client with the changes of messages is loaded by its first call.
  await observer.client.messages.get(scene.second);
  const edit = observer.client.messages.edit(ref, { text: 'not mine to change' });
  const during = stateOf(observer, scene.cid)?.messages.find(({ id }) => id === scene.second)?.text;

  await expect(edit).rejects.toThrow();
  expect(during).toBe('not mine to change');
  await verifyLaw(scene, observer);
  await closeClient(observer);
});

test('S16 a window keeps the newest messages up to its size and knows that older ones exist', async () => {
  const windowSize = 20;
  const scene = await createScene(world());
  const observer = await connectObserver(world(), { windowSize });
  await openFully(observer, scene);

  for (let n = 1; n <= 30; n += 1) await scene.bo.send({ text: `number ${n}` });
  const seq = await serverSeq(scene);
  await until(() => stateOf(observer, scene.cid)?.seq === seq, 'the last message');

  const state = stateOf(observer, scene.cid);
  expect(state?.messages.length).toBeLessThanOrEqual(windowSize);
  expect(state).toMatchObject({ hasOlder: true, hasNewer: false, unread: 32 });
  expect(state?.messages.at(-1)?.text).toBe('number 30');
  await closeClient(observer);
});

test('S16 a change of a message outside the window changes no list', async () => {
  const scene = await createScene(world());
  const observer = await world().chat.connect('ana', { pageSize: 1 });
  await openFully(observer, scene);

  await scene.bo.edit(scene.second, 'edited, out of sight');
  const seq = await serverSeq(scene);
  await until(() => (stateOf(observer, scene.cid)?.seq ?? 0) >= seq, 'the edit');
  await pause(20);

  expect(stateOf(observer, scene.cid)?.messages.map(({ id }) => id)).toEqual([scene.third]);
  await closeClient(observer);
});

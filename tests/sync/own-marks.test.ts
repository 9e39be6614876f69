/** The own read mark is in no log: its changes are ordered by their version. docs/sync.md, S11. */
import { unreadTotal } from '@parley/client/reads';
import { until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { closeClient, connectObserver, createScene, setUpWorld } from './scene.ts';
import { openFully, stateOf, verifyLaw } from './verify.ts';

const world = setUpWorld();
const isMark = (json: string, kind: 'read' | 'unread') =>
  json.startsWith(`{"type":"notification.mark_${kind}"`);

type Observer = Awaited<ReturnType<typeof connectObserver>>;
type Mark = 'notification.mark_read' | 'notification.mark_unread';

/** Resolves once the observer has the event, also where it says nothing any more. */
const arrival = ({ client }: Observer, type: Mark): Promise<unknown> =>
  new Promise((resolve) => client.on(type, resolve));

const untilUnread = (observer: Observer, cid: string, count: number) =>
  until(() => stateOf(observer, cid)?.unread === count, `${count} unread`);

const observe = async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  return { scene, observer };
};

test('S11 a mark-read that comes after the mark-unread which followed it says nothing', async () => {
  const { scene, observer } = await observe();
  observer.faults.onFrame((json) => (isMark(json, 'read') ? { delayMs: 60 } : undefined));
  const late = arrival(observer, 'notification.mark_read');
  await scene.ana.read();
  await scene.ana.markUnread(scene.second);
  await late;

  await untilUnread(observer, scene.cid, 2);
  await verifyLaw(scene, observer);
  await closeClient(observer);
});

test('S11 a mark-unread that comes after the own message which followed it says nothing', async () => {
  const { scene, observer } = await observe();
  observer.faults.onFrame((json) => (isMark(json, 'unread') ? { delayMs: 60 } : undefined));
  const late = arrival(observer, 'notification.mark_unread');
  await scene.ana.markUnread(scene.second);
  await scene.ana.send({ text: 'read by writing' });
  await late;

  await untilUnread(observer, scene.cid, 0);
  await verifyLaw(scene, observer);
  await closeClient(observer);
});

test('S11 an own message that comes after the mark-unread which followed it says nothing', async () => {
  const { scene, observer } = await observe();
  observer.faults.onFrame((json) => (json.startsWith('{"type":"message.new"') ? { delayMs: 60 } : undefined));
  await scene.ana.send({ text: 'read by writing' });
  await scene.ana.markUnread(scene.second);

  await verifyLaw(scene, observer);
  await untilUnread(observer, scene.cid, 3);
  await closeClient(observer);
});

test.each(['truncate', 'clearHistory'] as const)('S11 a mark-unread is ordered with %s', async (act) => {
  const { scene, observer } = await observe();
  observer.faults.onFrame((json) => (isMark(json, 'unread') ? { delayMs: 60 } : undefined));
  const late = arrival(observer, 'notification.mark_unread');
  await scene.ana.markUnread(scene.second);
  await (act === 'truncate' ? scene.bo.truncate() : scene.ana.clearHistory());
  await late;

  await untilUnread(observer, scene.cid, 0);
  await verifyLaw(scene, observer);
  await closeClient(observer);
});

test('S11 the reply to a mark-read that comes late does not take back what another device did', async () => {
  const { scene, observer } = await observe();
  observer.faults.onCall((url) => (url.endsWith('/read') ? { delayMs: 500 } : undefined));
  const isRead = new Promise((resolve) => observer.client.on('notification.mark_read', resolve));
  const reading = observer.client.reads.markRead(scene.cid);
  await isRead;
  await scene.ana.markUnread(scene.second);
  await reading;

  expect(stateOf(observer, scene.cid)?.unread).toBe(2);
  await closeClient(observer);
});

test('M10 marks of many devices at once: versions grow, and totals end at what the server counts', async () => {
  const { scene, observer } = await observe();
  const acts = Array.from({ length: 24 }, (_, index) =>
    index % 3 === 0
      ? scene.ana.markUnread(scene.second)
      : index % 3 === 1
        ? scene.ana.read()
        : scene.bo.send({ text: `${index}` }),
  );
  const total = observer.client.feature(unreadTotal);
  await Promise.all(acts);
  await scene.ana.markUnread(scene.second);
  const { total_unread_count } = await scene.ana.caller.call('GET /unread', {});

  await until(() => observer.client.me.get()?.unread_count === total_unread_count, 'the totals');
  await verifyLaw(scene, observer);
  expect(total.get()).toBe(total_unread_count);
  await closeClient(observer);
});

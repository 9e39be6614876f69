/** Answers about a hidden channel that come after the message which shows it again. docs/sync.md, S9. */
import type { Environment } from '@parley/client';
import { type TestClient, until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { closeClient, createScene, type Scene, setUpWorld } from './scene.ts';

const world = setUpWorld();
const filter = { members: { $in: ['ana'] } };

/** A client whose answers to some calls wait, as they were, until they are let through. */
const connectSlow = async (isSlow: (url: string, body: string) => boolean) => {
  let held: { at: number; release: () => void } | undefined;
  let wait: Promise<void> | undefined;
  const fetch: Environment['fetch'] = async (url, init) => {
    const isHeld = wait && isSlow(url, String(init.body)) ? wait : undefined;
    const response = await globalThis.fetch(url, init);
    if (!isHeld || !held) return response;
    held.at += 1;
    await isHeld;
    return response;
  };
  const made = await world().chat.connect('ana', { environment: { fetch } });
  /** From now on such answers wait. */
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    wait = promise;
    const now = {
      at: 0,
      release: () => {
        wait = undefined;
        resolve();
      },
    };
    held = now;
    return { isAsked: () => now.at > 0, release: now.release };
  };
  return { ...made, hold };
};

const byMessage = [{ field: 'last_updated', direction: -1 }] as const;
/** Messages do not move the channels of such a list. */
const byAge = [{ field: 'created_at', direction: -1 }] as const;
type Sort = typeof byMessage | typeof byAge;

const listOf = async ({ client }: TestClient, { cid }: Scene, sort: Sort = byMessage) => {
  const list = client.channels.list({ filter, sort: [...sort], limit: 30 });
  await until(() => list.get().cids.includes(cid) && list.get().status === 'ready', 'the list');
  return list;
};

const hide = ({ ana, type, id }: Scene) =>
  ana.caller.call('POST /channels/{type}/{id}/hide', { path: { type, id }, body: {} });

/** Everything that was asked before is answered, and what follows from the answers is done. */
const settle = async ({ client }: TestClient): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await client.reads.unread();
};

const sorts: [string, Sort][] = [
  ['messages', byMessage],
  ['age', byAge],
];

test.each(sorts)(
  'S9 an answer from before a message that shows a hidden channel again does not take it from the list by %s',
  async (_, sort) => {
    const scene = await createScene(world());
    const device = await connectSlow(
      (url, body) => url.includes('/channels?') && body.includes('"limit":1,'),
    );
    const list = await listOf(device, scene, sort);
    const answer = device.hold();
    await hide(scene);
    await until(answer.isAsked, 'the question about the hidden channel');

    const came = new Promise((resolve) => device.client.on('message.new', resolve));
    await scene.bo.send({ text: 'are you there?' });
    await came;
    const gone: boolean[] = [];
    list.subscribe(() => gone.push(!list.get().cids.includes(scene.cid)));
    answer.release();
    await settle(device);

    expect(list.get().cids).toContain(scene.cid);
    expect(gone).not.toContain(true);
    list.stop();
    await closeClient(device);
  },
);

test.each(sorts)(
  'S9 a page from before a message that shows a hidden channel again does not take it from the list by %s for good',
  async (_, sort) => {
    const scene = await createScene(world());
    const device = await connectSlow(
      (url, body) => url.includes('/channels?') && body.includes('"limit":30'),
    );
    const list = await listOf(device, scene, sort);
    // The event of the hide is lost, as while the device is offline: only the page knows of it.
    device.faults.onFrame((json) => (json.includes('channel.hidden') ? 'drop' : undefined));
    await hide(scene);
    const answer = device.hold();
    const asked = list.refresh();
    await until(answer.isAsked, 'the page');

    const came = new Promise((resolve) => device.client.on('message.new', resolve));
    await scene.bo.send({ text: 'are you there?' });
    await came;
    answer.release();
    await asked;

    await until(() => list.get().cids.includes(scene.cid), 'the channel in the list');
    list.stop();
    await closeClient(device);
  },
);

test('S9 the own part of a hidden channel, asked for before a message shows it again, does not hide it', async () => {
  const scene = await createScene(world());
  const device = await connectSlow((url, body) => url.includes('/query') && body.includes('"state":false'));
  await device.client.channels.open(scene.type, scene.id);
  const hidden = () => device.client.channels.state(scene.cid).get()?.channel.hidden;
  await hide(scene);
  await until(() => hidden() === true, 'the hidden channel');
  const answer = device.hold();
  await scene.server.patchMember({ role_note: 'on call' }, 'ana');
  await until(answer.isAsked, 'the question about the own part');

  await scene.bo.send({ text: 'are you there?' });
  await until(() => hidden() === false, 'the channel that is shown again');
  answer.release();
  await settle(device);

  expect(hidden()).toBe(false);
  await closeClient(device);
});

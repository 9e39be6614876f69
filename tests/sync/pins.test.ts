import { until } from '@parley/testkit';
import type { Scene } from './scene.ts';
import { setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

const pin = ({ bo }: Scene, id: string, more: Record<string, unknown> = {}) =>
  bo.caller.call('PATCH /messages/{id}', { path: { id }, body: { set: { pinned: true, ...more } } });
const unpin = ({ bo }: Scene, id: string) =>
  bo.caller.call('PATCH /messages/{id}', { path: { id }, body: { unset: ['pinned'] } });

/** One more than a channel state shows. */
const pinMany = async (scene: Scene): Promise<void> => {
  for (let n = 0; n < 11; n += 1)
    await pin(scene, await scene.bo.send({ id: `p${n}-${scene.id}`, text: `pin ${n}` }));
};

testLaw('S13 message.updated: pinned, the newest first', {
  arrange: (scene) => pin(scene, scene.third),
  act: async (scene) => {
    await pin(scene, scene.first);
    await pin(scene, scene.second, { pin_expires: new Date(Date.now() + 3_600_000).toISOString() });
  },
  writes: ['message.updated'],
});

testLaw('S13 message.updated: pinned here and unpinned', {
  arrange: (scene) => pin(scene, scene.second),
  act: async ({ cid, first, second }, client) => {
    await client.messages.pin({ cid, id: first });
    await client.messages.unpin({ cid, id: second });
  },
  writes: ['message.updated'],
});

testLaw('S13 message.updated: one of more pins than are shown goes', {
  arrange: pinMany,
  act: (scene) => unpin(scene, `p5-${scene.id}`),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: a pin more than are shown', {
  arrange: pinMany,
  act: (scene) => pin(scene, scene.first),
  writes: ['message.updated'],
});

testLaw('S13 message.updated: a pin that ends by itself', {
  arrange: (scene) => pin(scene, scene.second),
  // The pin is set once all listen: on a busy machine it would have ended by then.
  act: async (scene, client) => {
    const { cid, second } = scene;
    await pin(scene, second, { pin_expires: new Date(Date.now() + 1500).toISOString() });
    await until(
      () =>
        !client.channels
          .state(cid)
          .get()
          ?.messages.find(({ id }) => id === second)?.pinned,
      'the end of the pin',
    );
  },
  writes: ['message.updated'],
});

testLaw('S14 message.undeleted: a pinned message keeps its place among the pins', {
  arrange: async (scene) => {
    await pin(scene, scene.second);
    await pin(scene, scene.first);
  },
  act: async ({ bo, second }) => {
    await bo.remove(second);
    await bo.undelete(second);
  },
  writes: ['message.deleted', 'message.undeleted'],
});

testLaw('S15 reaction.new: on a pinned message', {
  arrange: (scene) => pin(scene, scene.second),
  act: ({ ana, cy, second }) => Promise.all([ana.react(second, 'like'), cy.react(second, 'wow')]),
  writes: ['reaction.new'],
});

testLaw('S12 message.new: what was pending, at its commit', {
  act: async ({ bo, cid, id }) => {
    const [type = '', channel = ''] = cid.split(':');
    await bo.caller.call('POST /channels/{type}/{id}/message', {
      path: { type, id: channel },
      body: { message: { id: `w-${id}`, text: 'later' }, pending: true },
    });
    await bo.caller.call('POST /messages/{id}/commit', { path: { id: `w-${id}` }, body: {} });
  },
  writes: ['message.new'],
});

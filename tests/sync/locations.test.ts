import { until } from '@parley/testkit';
import { type Person, type Scene, untilNoRows } from './scene.ts';
import { pause, readLog, serverSeq, setUpLaw } from './verify.ts';

const testLaw = setUpLaw();

const untilPublished = (scene: Scene) => untilNoRows(scene, 'shared_locations where untold');
/** Longer than places in one channel are kept together. */
const untilNoneFollows = () => pause(3800);
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const carrierOf = ({ id }: Scene, who = 'bo') => `here-${who}-${id}`;
const device = 'phone';

const share = (scene: Scene, { send }: Person, who: string, more: object = {}) =>
  send({
    id: carrierOf(scene, who),
    shared_location: {
      ...{ latitude: 52.5, longitude: 13.4, created_by_device_id: device, end_at: inAnHour() },
    },
    ...more,
  });
const put = (scene: Scene, { caller }: Person, who: string, wish: object) =>
  caller.call('PUT /users/live_locations', {
    body: { message_id: carrierOf(scene, who), created_by_device_id: device, ...wish },
  });
const stop = (scene: Scene, person: Person, who: string) =>
  put(scene, person, who, { end_at: new Date(0).toISOString() });

testLaw('S25 message.new: with a location that does not move', {
  act: ({ bo }) =>
    bo.send({ shared_location: { latitude: -90, longitude: 180, created_by_device_id: device } }),
  writes: ['message.new'],
});

testLaw('S25 live_location_sharing.started: of another', {
  act: (scene) => share(scene, scene.bo, 'bo'),
  writes: ['message.new', 'live_location_sharing.started'],
});

testLaw('S25 live_location_sharing.updated: others move, one of them twice', {
  arrange: async (scene) => {
    await share(scene, scene.bo, 'bo');
    await share(scene, scene.cy, 'cy');
  },
  act: async (scene) => {
    await put(scene, scene.bo, 'bo', { latitude: 1, longitude: 1 });
    await put(scene, scene.cy, 'cy', { latitude: 2, longitude: 2 });
    await put(scene, scene.bo, 'bo', { latitude: 3, longitude: 3 });
    await untilPublished(scene);
  },
  writes: ['live_location_sharing.updated'],
});

testLaw('S25 live_location_sharing.updated: own, in an open thread, quoted and pinned, with another end', {
  arrange: async (scene) => {
    await share(scene, scene.ana, 'ana', { parent_id: scene.first, show_in_channel: true });
    await scene.cy.send({ text: 'quoting', quoted_message_id: carrierOf(scene, 'ana') });
    await scene.bo.caller.call('PATCH /messages/{id}', {
      path: { id: carrierOf(scene, 'ana') },
      body: { set: { pinned: true } },
    });
  },
  act: async (scene) => {
    await put(scene, scene.ana, 'ana', { latitude: 4, longitude: 4, end_at: inAnHour() });
    await untilPublished(scene);
  },
  writes: ['live_location_sharing.updated'],
  threads: ({ first }) => [first],
});

testLaw('S25 live_location_sharing.stopped: by who shares it', {
  arrange: (scene) => share(scene, scene.bo, 'bo'),
  act: (scene) => stop(scene, scene.bo, 'bo'),
  writes: ['live_location_sharing.stopped'],
});

testLaw('S25 live_location_sharing.stopped: right after a position that was not published', {
  arrange: async (scene) => {
    await share(scene, scene.bo, 'bo');
    await put(scene, scene.bo, 'bo', { latitude: 5, longitude: 5 });
  },
  act: async (scene) => {
    await put(scene, scene.bo, 'bo', { latitude: 6, longitude: 6 });
    await stop(scene, scene.bo, 'bo');
    await untilNoneFollows();
  },
  writes: ['live_location_sharing.stopped'],
});

testLaw('S25 live_location_sharing.stopped: at its time', {
  arrange: (scene) => share(scene, scene.bo, 'bo'),
  // The share begins once all listen: on a busy machine it would have ended by then.
  act: async (scene) => {
    const from = await serverSeq(scene);
    await put(scene, scene.bo, 'bo', { end_at: new Date(Date.now() + 1500).toISOString() });
    await until(
      async () => (await readLog(scene, from)).includes('live_location_sharing.stopped'),
      'the end of the share',
    );
  },
  writes: ['live_location_sharing.stopped'],
});

testLaw('S25 message.updated: it no longer shares a location', {
  arrange: (scene) => share(scene, scene.bo, 'bo', { text: 'On my way' }),
  act: (scene) =>
    scene.bo.caller.call('PATCH /messages/{id}', {
      path: { id: carrierOf(scene) },
      body: { unset: ['shared_location'] },
    }),
  writes: ['live_location_sharing.stopped', 'message.updated'],
});

testLaw('S25 message.deleted: the share ends with it, and stays ended when it comes back', {
  arrange: async (scene) => {
    await share(scene, scene.bo, 'bo');
    await scene.cy.send({ text: 'quoting', quoted_message_id: carrierOf(scene) });
  },
  act: async (scene) => {
    await scene.bo.remove(carrierOf(scene));
    await scene.bo.undelete(carrierOf(scene));
  },
  writes: ['live_location_sharing.stopped', 'message.deleted', 'message.undeleted'],
});

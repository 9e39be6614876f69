import { until } from '@parley/testkit';
import { expect, test } from 'vitest';
import { connectObserver, createScene, setUpWorld } from './scene.ts';
import { openFully, stateOf, untilRecovered } from './verify.ts';

const world = setUpWorld();

test('S6 changes of members are received after a reconnect, too', async () => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  await openFully(observer, scene);
  const rename = (name: string) =>
    scene.cy.caller.call('PATCH /users', { body: { users: [{ id: 'cy', set: { name } }] } });
  const isNamed = (name: string) =>
    until(
      () => stateOf(observer, scene.cid)?.members.some(({ user }) => user?.name === name),
      `the name ${name}`,
    );

  await rename('Cyril');
  await isNamed('Cyril');
  await untilRecovered(observer, observer.faults.cutSockets);
  await rename('Cyrus');
  await isNamed('Cyrus');

  expect(observer.client.connection.get().status).toBe('online');
});

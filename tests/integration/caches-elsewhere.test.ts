import type { PermissionRule } from '@parley/protocol';
import { startServer } from '@parley/server';
import { createCaller, createTestChat, startNats, until } from '@parley/testkit';
import { expect, onTestFinished, test } from 'vitest';

const forServer: PermissionRule = { name: 'server', action: 'Allow', priority: 998, roles: ['admin'] };
const forAll: PermissionRule = { name: 'all', action: 'Allow', priority: 9 };
const nobodySearches: PermissionRule = {
  name: 'Nobody lists people',
  action: 'Deny',
  priority: 999,
  resources: ['search-users'],
  roles: ['*'],
};

test('W4 the app, types, channels, members and users that a server caches are forgotten there, also while the bus is away', async ({
  skip,
}) => {
  const nats = await startNats();
  if ('missing' in nats) return skip(nats.missing);
  const chat = await createTestChat({ users: ['ana', 'bo', 'cy'], config: { bus: nats.bus } });
  const other = await startServer({ ...chat.server.kernel.config, port: 0 });
  onTestFinished(async () => {
    await other.stop();
    await chat.stop();
    await nats.kill();
  });
  const atOther = (userId: string) =>
    createCaller({
      ...{ baseUrl: `${other.url}/api`, apiKey: chat.apiKey },
      token: () => chat.token(userId),
    });
  const [bo, cy] = [await atOther('bo'), await atOther('cy')];
  await chat.admin.channelTypes.create({ name: 'open', permissions: [forServer, forAll] });
  for (const [type, id] of [
    ['open', 'room'],
    ['messaging', 'den'],
    ['messaging', 'hall'],
  ] as const)
    await chat.admin.channels.create(type, id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const read = (type: string, id: string) => bo.raw('POST', `/channels/${type}/${id}/query`, { body: '{}' });
  const calls = {
    type: () => read('open', 'room'),
    member: () => read('messaging', 'den'),
    channel: () => read('messaging', 'hall'),
    app: () => bo.raw('POST', '/users/query', { body: '{}' }),
    user: () => cy.raw('GET', '/unread'),
  };
  for (const [what, call] of Object.entries(calls))
    expect([what, (await call()).status]).toEqual([what, 200]);

  await nats.kill();
  await chat.admin.channelTypes.update('open', { permissions: [forServer] });
  await chat.admin.channels.removeMembers('messaging:den', ['bo']);
  await chat.admin.channels.delete('messaging:hall');
  await chat.admin.app.update({ permissions: [nobodySearches] });
  await chat.admin.users.deactivate('cy');

  for (const [what, call] of Object.entries(calls))
    await until(async () => (await call()).status >= 400, `the refusal after a change of the ${what}`);
});

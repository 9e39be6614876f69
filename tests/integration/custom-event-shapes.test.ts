import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], wired: true });
});
afterAll(() => chat.stop());

const ownMembership = /^select .+ from "members" where "cid" = \$1 and "user_id" = \$2$/;

/** Bo watches a channel of Ana and Bo whose history Bo has cleared, and receives what the list says. */
const watchCleared = async (id: string) => {
  const cid = `messaging:${id}`;
  const path = { type: 'messaging', id };
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  const message = await chat.admin.messages.send(cid, 'ana', { text: 'old' });
  const ana = await chat.as('ana');
  const bo = await chat.as('bo');
  const { client } = await chat.connect('bo');
  const received: Record<string, unknown>[] = [];
  client.on('all', (event) => received.push(event as Record<string, unknown>));
  const state = client.connection.get();
  const query = { connection_id: state.status === 'online' ? state.connectionId : '' };
  await bo.call('POST /channels/{type}/{id}/query', { path, query, body: { watch: true } });
  await bo.call('POST /channels/{type}/{id}/hide', { path, body: { clear_history: true } });
  const receives = (type: string) =>
    until(() => received.some((event) => event.type === type), `to receive ${type}`);
  return { cid, path, message, ana, bo, received, receives };
};

const odd = [
  { poll: null, shared_locations: 5 },
  { message: null, shared_location: [] },
  { shared_locations: [null] },
];

test('G2 an event of the app carries no record under a name of the server: nobody is renamed by it', async () => {
  const { path, ana, bo, received, receives } = await watchCleared('names');
  const user = { id: 'ana', name: 'Mallory', updated_at: '2999-01-01T00:00:00.000Z', role: 'admin' };
  const forged = {
    message: {
      id: 'm',
      user,
      attachments: [],
      reaction_counts: {},
      reaction_scores: {},
      reaction_groups: {},
    },
    member: { user_id: 'ana', user },
    reaction: { user },
    read: { user },
    poll: { created_by: user, latest_answers: [], latest_votes_by_option: {} },
    vote: { user },
    channel: { name: 'taken' },
    ...{ thread: {}, draft: {}, reminder: {}, scheduled_message: {} },
    ...{ shared_location: {}, shared_locations: [], channel_mutes: [] },
  };

  for (const [key, value] of Object.entries(forged)) {
    const event = { type: 'app.forged', [key]: value };
    const refusal = await bo.refused('POST /channels/{type}/{id}/event', { path, body: { event } });
    expect(refusal).toMatchObject({ name: 'InputInvalid', details: [{ path: `event.${key}` }] });
  }
  const event = { type: 'app.score', points: 3, thread_id: 'x' };
  await ana.call('POST /channels/{type}/{id}/event', { path, body: { event } });
  await receives('app.score');

  expect(JSON.stringify(received)).not.toContain('Mallory');
});

test('G2 an odd event while rights are looked at again ends neither the watching nor the server', async () => {
  const { cid, path, bo, receives } = await watchCleared('held');
  const faults: unknown[] = [];
  const note = (fault: unknown) => faults.push(fault);
  process.on('unhandledRejection', note);

  const held = chat.wire.holdAnswer(ownMembership, cid);
  const patched = bo.call('PATCH /channels/{type}/{id}/member', { path, body: { set: { mood: 'well' } } });
  const { release } = await held;
  for (const [index, fields] of odd.entries()) {
    const event = { type: `app.held-${index}`, cid, created_at: new Date().toISOString() };
    const { bus } = chat.server.kernel;
    bus.publish({
      kind: 'channel',
      cid,
      type: event.type,
      json: JSON.stringify({ ...event, ...fields }),
    });
  }
  release();
  await patched;
  await chat.admin.messages.send(cid, 'ana', { text: 'after' });
  await receives('message.new');
  for (const index of odd.keys()) await receives(`app.held-${index}`);
  process.off('unhandledRejection', note);

  expect(faults).toEqual([]);
});

test('P62 the title of a thread on a message that was cleared does not come live', async () => {
  const { cid, message, ana, received, receives } = await watchCleared('titles');
  await ana.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id: 'titles' },
    body: { message: { text: 'reply', parent_id: message.id } },
  });

  await ana.call('PATCH /threads/{message_id}', {
    path: { message_id: message.id },
    body: { set: { title: 'SECRET' } },
  });
  await chat.admin.messages.send(cid, 'ana', { text: 'after' });
  await until(() => JSON.stringify(received).includes('"after"'), 'the message after it');
  await receives('message.new');

  expect(JSON.stringify(received)).not.toContain('SECRET');
});

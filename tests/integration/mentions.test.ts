import { hasUnreadMention, mentions as mentionsFeature } from '@parley/client/mentions';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cid = 'messaging:room';
const path = { type: 'messaging', id: 'room' };
const send = 'POST /channels/{type}/{id}/message';
let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'dee'] });
  await chat.admin.users.upsert([
    { id: 'bo', name: 'Bo Lind' },
    { id: 'cy', name: 'Cy' },
  ]);
  await chat.admin.channels.create('messaging', 'room', {
    created_by_id: 'cy',
    members: ['ana', 'bo', 'cy'],
  });
  await chat.admin.channels.create('livestream', 'stage', { created_by_id: 'cy', members: ['ana'] });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
  await ana.client.channels.open('messaging', 'room');
  await bo.client.channels.open('messaging', 'room');
});
afterAll(() => chat.stop());

test('M7 a message calls people, roles, here and the channel, and everyone gets the same', async () => {
  const said = {
    mentioned_users: ['bo', 'bo'],
    mentioned_roles: ['channel_moderator'],
    mentioned_here: true,
    mentioned_channel: true,
  };
  const sent = await ana.client.messages.send(cid, { text: '@Bo Lind @here', ...said });

  expect(sent.mentioned_users.map(({ id }) => id)).toEqual(['bo']);
  const stored = await chat.admin.messages.get(sent.id);
  expect(stored).toMatchObject({ ...said, mentioned_users: [{ id: 'bo' }] });
  const received = () =>
    bo.client.channels
      .state(cid)
      .get()
      ?.messages.find(({ id }) => id === sent.id);
  await until(() => received()?.mentioned_channel === true, 'the call at Bo');
});

test('M7 outsiders, strangers, unknown roles and too many people are refused by name', async () => {
  const caller = await chat.as('ana');
  const refused = (message: Record<string, unknown>) =>
    caller.refused(send, { path, body: { message: { text: 'x', ...message } } });

  const outsider = await refused({ mentioned_users: ['bo', 'dee'] });
  expect(outsider).toMatchObject({
    code: 4,
    details: [{ path: 'message.mentioned_users.1', message: 'dee is not in messaging:room' }],
  });
  expect((await refused({ mentioned_users: ['nobody'] })).message).toContain('no user nobody');
  expect((await refused({ mentioned_roles: ['queen'] })).message).toContain('no role queen');
  const many = Array.from({ length: 101 }, (_, n) => `u${n}`);
  expect((await refused({ mentioned_users: many })).code).toBe(4);
});

test('M7 where everyone may read, anyone may be named, but members may not call everyone', async () => {
  const stage = { path: { type: 'livestream', id: 'stage' } };
  const caller = await chat.as('ana');

  const { message } = await caller.call(send, {
    ...stage,
    body: { message: { text: '@dee', mentioned_users: ['dee'] } },
  });
  const loud = await caller.refused(send, {
    ...stage,
    body: { message: { text: '@here', mentioned_here: true } },
  });

  expect(message.mentioned_users).toHaveLength(1);
  expect(loud).toMatchObject({ code: 17, message: 'Not allowed to mention-everyone in livestream:stage' });
});

test('M7 an edit changes whom a message calls; who left since may stay named', async () => {
  await chat.admin.channels.addMembers(cid, ['dee']);
  const sent = await ana.client.messages.send(cid, { text: '@dee', mentioned_users: ['dee'] });
  await chat.admin.channels.removeMembers(cid, ['dee']);

  const kept = await ana.client.messages.edit(sent, { text: '@dee!', mentioned_users: ['dee'] });
  const loud = await ana.client.messages.edit(sent, { text: '@here', mentioned_here: true });

  expect(kept.mentioned_users.map(({ id }) => id)).toEqual(['dee']);
  expect(loud).toMatchObject({ mentioned_users: [], mentioned_here: true });
  const quiet = await ana.client.messages.patch(sent, { text: 'nobody', mentioned_here: false });
  expect(quiet).not.toHaveProperty('mentioned_here');
});

test('M7 the SDK reads a text for whom it calls, and finds people by name', async () => {
  const mentions = ana.client.feature(mentionsFeature);

  expect(mentions.inputOf(cid, 'hi @bo lind, @Cy and @Cyclops')).toEqual({ mentioned_users: ['bo', 'cy'] });
  expect(mentions.inputOf(cid, 'mail@here is no call, @channel is')).toEqual({ mentioned_channel: true });
  expect(mentions.near(cid, 'li').map((one) => one.kind === 'user' && one.user.id)).toEqual(['bo']);
  expect(mentions.near(cid, 'Mod')).toEqual([
    { kind: 'role', role: 'moderator' },
    { kind: 'role', role: 'channel_moderator' },
  ]);
  expect((await mentions.search(cid, 'Lin')).map(({ id }) => id)).toEqual(['bo']);
});

test('M7 an unread message that calls one marks the channel until it is read', async () => {
  const state = () => bo.client.channels.state(cid).get();
  const isMarked = () => {
    const now = state();
    return now !== undefined && hasUnreadMention(now, bo.client.me.get());
  };
  await bo.client.reads.markRead(cid);
  await until(() => !isMarked(), 'nothing unread');

  await ana.client.messages.send(cid, { text: 'no call' });
  await until(() => (state()?.unread ?? 0) > 0, 'one unread');
  expect(isMarked()).toBe(false);
  await ana.client.messages.send(cid, { text: '@Bo Lind', mentioned_users: ['bo'] });
  await until(isMarked, 'the mark');

  await bo.client.reads.markRead(cid);
  await until(() => !isMarked(), 'the mark gone');
});

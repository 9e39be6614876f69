import { countMarks, receipts as receiptsFeature } from '@parley/client/reads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'di'] });
  await chat.admin.channelTypes.create({ name: 'hall', marks_limit: 3 });
  const members = ['ana', 'bo', 'cy', 'di'];
  await chat.admin.channels.create('hall', 'big', { created_by_id: 'ana', members });
});
afterAll(() => chat.stop());

const cid = 'hall:big';
const path = { type: 'hall', id: 'big' };

test('M11 in a large channel marks become counts: the channel says so and the log stays still', async () => {
  const { client } = await chat.connect('ana');
  await client.channels.open('hall', 'big');
  const state = () => client.channels.state(cid).get();
  expect(state()?.channel.fidelity).toEqual({ reads: 'counts' });
  const message = await client.messages.send(cid, { text: 'to all of you' });
  await until(() => state()?.unsequenced === 0 && state()?.messages.length === 1, 'the message');
  const before = state()?.seq;

  for (const reader of ['bo', 'cy']) {
    const raw = await chat.as(reader);
    await raw.call('POST /channels/{type}/{id}/read', { path, body: {} });
  }
  const di = await chat.as('di');
  const latest_delivered_messages = [{ cid, id: message.id }];
  await di.call('POST /channels/delivered', { body: { latest_delivered_messages } });

  const counts = () => {
    const now = state();
    return now && countMarks(now, message);
  };
  await until(() => counts()?.read === 2, 'the counts');
  expect(counts()).toEqual({ read: 2, delivered: 3, of: 3 });
  expect(state()?.seq).toBe(before);
  expect(Object.keys(state()?.read ?? {})).toEqual(['ana']);
});

test('M10 receipts name who has read a message and when, in a channel of any size', async () => {
  const { client } = await chat.connect('ana');
  await client.channels.open('hall', 'big');
  const [message] = client.channels.state(cid).get()?.messages ?? [];
  const receipts = await client.feature(receiptsFeature).of(message?.id ?? '');

  expect([receipts.member_count, receipts.read_count, receipts.delivered_count]).toEqual([3, 2, 3]);
  expect(receipts.read.map(({ user }) => user.id).sort()).toEqual(['bo', 'cy']);
  expect(receipts.read.every(({ at }) => at !== undefined)).toBe(true);
  // Readers have received it.
  expect(receipts.delivered.map(({ user }) => user.id).sort()).toEqual(['bo', 'cy', 'di']);
  expect(receipts.delivered.every(({ at }) => at !== undefined)).toBe(true);
});

test('M10 explainUnread names every message that counts, loaded or not, and why', async () => {
  const raw = await chat.as('ana');
  const say = async (text: string, more = {}) =>
    (await raw.call('POST /channels/{type}/{id}/message', { path, body: { message: { text, ...more } } }))
      .message;
  const gone = await say('soon deleted');
  await say('quiet', { silent: true });
  const removed = await say('soon removed');
  await raw.call('DELETE /messages/{id}', { path: { id: gone.id } });
  await chat.admin.messages.delete(removed.id, { hard: true });
  const { client } = await chat.connect('bo');
  const explained = await client.feature(receiptsFeature).explainUnread(cid);

  expect(explained.messages.map(({ text, reason }) => `${text} ${reason}`)).toEqual([
    ' deleted',
    'quiet silent',
  ]);
  expect([explained.unread_count, explained.removed, explained.marked_unread]).toEqual([2, 1, false]);
  const outsider = await chat.connect('eve');
  await expect(outsider.client.feature(receiptsFeature).explainUnread(cid)).rejects.toThrow();
});

test('M11 a channel that grows past the limit while it is open turns to counts, and back to marks', async () => {
  const id = 'growing';
  const growing = `hall:${id}`;
  await chat.admin.channels.create('hall', id, { created_by_id: 'ana', members: ['ana', 'bo', 'cy'] });
  const { client } = await chat.connect('ana');
  await client.channels.open('hall', id);
  const state = () => client.channels.state(growing).get();
  const message = await client.messages.send(growing, { text: 'who is here?' });
  const bo = await chat.as('bo');
  await bo.call('POST /channels/{type}/{id}/read', { path: { type: 'hall', id }, body: {} });
  await until(() => state()?.read.bo?.last_read_number === 1, "Bo's mark");
  expect(state()?.channel.fidelity).toBeUndefined();

  await client.members.add(growing, ['di']);
  await until(() => state()?.channel.fidelity?.reads === 'counts', 'the channel to say so');
  expect(Object.keys(state()?.read ?? {})).toContain('bo');
  const counts = () => {
    const now = state();
    return now && countMarks(now, message);
  };
  await until(() => counts() !== undefined, 'the counts');
  expect(counts()).toEqual({ read: 2, delivered: 2, of: 3 });

  await client.members.remove(growing, ['di']);
  await until(() => state()?.channel.fidelity === undefined, 'the channel to be small again');
  await until(() => state()?.read.bo?.last_read_number === 1, "Bo's mark again");
  expect(counts()).toBeUndefined();
});

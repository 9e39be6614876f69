import { channelPreferences } from '@parley/client/channel-preferences';
import { explainUnread, seenBy, selectFirstUnread, unreadTotal } from '@parley/client/reads';
import { createTestChat, type TestChat, type TestClient, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let ana: TestClient;
let bo: TestClient;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  ana = await chat.connect('ana');
  bo = await chat.connect('bo');
});
afterAll(() => chat.stop());

let serial = 0;
/** A new room that both have open, with a number of messages by Ana. */
const makeRoom = async (messages: number) => {
  const id = `room-${++serial}`;
  const cid = `messaging:${id}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'bo'] });
  await ana.client.channels.open('messaging', id);
  await bo.client.channels.open('messaging', id);
  const sent = [];
  for (let index = 1; index <= messages; index++)
    sent.push(await ana.client.messages.send(cid, { text: `m${index}` }));
  await until(() => stateOf(bo, cid)?.messages.length === messages, 'the messages at Bo');
  return { cid, id, path: { type: 'messaging', id }, sent };
};
const stateOf = ({ client }: TestClient, cid: string) => client.channels.state(cid).get();

test('M10 messages are numbered, unread is the difference, and who writes has read', async () => {
  const { cid, sent } = await makeRoom(3);

  expect(sent.map(({ number }) => number)).toEqual([1, 2, 3]);
  expect([stateOf(ana, cid)?.unread, stateOf(bo, cid)?.unread]).toEqual([0, 3]);

  await bo.client.messages.send(cid, { text: 'answer' });
  await until(() => stateOf(ana, cid)?.unread === 1, "Bo's answer at Ana");
  expect(stateOf(bo, cid)?.unread).toBe(0);
  const raw = await chat.as('bo');
  const unread = await raw.call('GET /unread');
  expect(unread.channels.find((entry) => entry.channel_id === cid)).toBeUndefined();
});

test('M10 mark read is published to the others: seen by', async () => {
  const { cid, sent } = await makeRoom(2);

  await bo.client.reads.markRead(cid);

  expect(stateOf(bo, cid)?.unread).toBe(0);
  await until(() => stateOf(ana, cid)?.read.bo?.last_read_number === 2, 'the read at Ana');
  const [state, last] = [stateOf(ana, cid), sent[1]];
  if (!state || !last) throw new Error('nothing there');
  expect(seenBy(state, last).map(({ id }) => id)).toEqual(['bo']);
  expect(state.read.bo?.last_read_message_id).toBe(last.id);
});

test('M10 read up to a message, and never back', async () => {
  const { cid, path, sent } = await makeRoom(5);
  const raw = await chat.as('bo');
  const read = async (index: number) =>
    (await raw.call('POST /channels/{type}/{id}/read', { path, body: { message_id: sent[index]?.id ?? '' } }))
      .read;

  expect(await read(2)).toMatchObject({ last_read_number: 3, unread_messages: 2 });
  expect(await read(0)).toMatchObject({ last_read_number: 3, unread_messages: 2 });
  await until(() => stateOf(bo, cid)?.unread === 2, 'the count at Bo');
});

test('M10 mark unread counts from that message on, for oneself alone', async () => {
  const { cid, path, sent } = await makeRoom(4);
  await bo.client.reads.markRead(cid);
  await until(() => stateOf(ana, cid)?.read.bo?.last_read_number === 4, 'the read at Ana');
  const received: string[] = [];
  const stop = ana.client.on('all', (event) => received.push(event.type));

  const read = await bo.client.reads.markUnread(cid, sent[1]?.id ?? '');

  expect(read).toMatchObject({ last_read_number: 1, unread_messages: 3 });
  const state = stateOf(bo, cid);
  expect(state?.unread).toBe(3);
  if (state) expect(selectFirstUnread(state)?.id).toBe(sent[1]?.id);
  const seenByAna = await (await chat.as('ana')).call('POST /channels/{type}/{id}/query', { path, body: {} });
  expect(seenByAna.read.find(({ user }) => user.id === 'bo')).toMatchObject({ last_read_number: 4 });
  stop();
  expect(received.filter((type) => type !== 'message.delivered')).toEqual([]);
  expect(stateOf(ana, cid)?.read.bo?.last_read_number).toBe(4);
});

test('M10 reading again ends a mark-unread', async () => {
  const { cid, sent } = await makeRoom(3);
  await bo.client.reads.markRead(cid);
  await bo.client.reads.markUnread(cid, sent[0]?.id ?? '');
  expect(stateOf(bo, cid)?.unread).toBe(3);

  await bo.client.reads.markRead(cid);

  expect(stateOf(bo, cid)?.unread).toBe(0);
  const raw = await chat.as('bo');
  expect((await raw.call('GET /unread')).channels.some((entry) => entry.channel_id === cid)).toBe(false);
});

test('M10 totals: GET /unread, the hello and the notification agree', async () => {
  await chat.admin.users.upsert([{ id: 'dee' }]);
  for (const [id, count] of [
    ['t1', 2],
    ['t2', 3],
    ['t3', 0],
  ] as const) {
    await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['ana', 'dee'] });
    for (let index = 0; index < count; index++)
      await chat.admin.messages.send(`messaging:${id}`, 'ana', { text: 'x' });
  }

  const { client } = await chat.connect('dee');
  const unread = await client.reads.unread();

  expect(client.me.get()).toMatchObject({ unread_count: 5, unread_channels: 2 });
  expect(unread).toMatchObject({ total_unread_count: 5, total_unread_threads_count: 0 });
  expect(unread.channels.map(({ channel_id, unread_count }) => [channel_id, unread_count]).sort()).toEqual([
    ['messaging:t1', 2],
    ['messaging:t2', 3],
  ]);
  await client.reads.markRead('messaging:t2');
  await until(() => client.me.get()?.unread_count === 2, 'the total after reading');
  await client.reads.markAllRead();
  await until(() => client.me.get()?.unread_count === 0, 'the total after reading all');
  expect((await client.reads.unread()).channels).toEqual([]);
});

test('M10 the total counts channels that are not loaded, and follows what comes and is read', async () => {
  await chat.admin.users.upsert([{ id: 'dot', name: 'Dot' }]);
  const rooms = ['far-1', 'far-2', 'near'];
  for (const id of rooms)
    await chat.admin.channels.create('messaging', id, { created_by_id: 'cy', members: ['dot', 'cy'] });
  const say = (id: string) => chat.admin.messages.send(`messaging:${id}`, 'cy', { text: 'hello' });
  await say('far-1');
  const dot = await chat.connect('dot');
  const total = dot.client.feature(unreadTotal);
  await dot.client.channels.open('messaging', 'near');
  await until(() => total.get() === 1, 'what was unread before');

  const raw = await chat.as('dot');
  await say('far-1');
  const parent = await say('far-2');
  await say('near');
  await until(() => total.get() === 4, 'what came');
  // A thread reply that its channel does not show makes nothing unread.
  await raw.call('POST /channels/{type}/{id}/read', { path: { type: 'messaging', id: 'far-2' }, body: {} });
  await until(() => total.get() === 3, 'the read of far-2');
  const reply = { text: 'in the thread', parent_id: parent.id };
  await chat.admin.messages.send('messaging:far-2', 'cy', reply);
  await say('far-2');
  await until(() => total.get() === 4, 'the message after the reply');
  await dot.client.feature(channelPreferences).mute('messaging:far-2');
  await until(() => total.get() === 3, 'the mute');
  await raw.call('POST /channels/{type}/{id}/read', { path: { type: 'messaging', id: 'far-1' }, body: {} });
  await until(() => total.get() === 1, 'the read');
  await dot.client.channels.open('messaging', 'far-1');
  expect(total.get()).toBe(1);
});

test('M10 explainUnread says which messages count and why', async () => {
  const { cid, sent } = await makeRoom(2);
  await bo.client.reads.markRead(cid);
  const silent = await ana.client.messages.send(cid, { text: 'psst', silent: true });
  const gone = await ana.client.messages.send(cid, { text: 'gone' });
  const counts = await ana.client.messages.send(cid, { text: 'counts' });
  await ana.client.messages.delete(gone);
  await until(() => stateOf(bo, cid)?.messages.find(({ id }) => id === gone.id)?.type === 'deleted', 'it');

  const state = stateOf(bo, cid);
  const reasons = new Map(state && explainUnread(state).messages.map(({ id, reason }) => [id, reason]));

  expect(reasons.get(sent[0]?.id ?? '')).toBe('read');
  expect(reasons.get(silent.id)).toBe('silent');
  expect(reasons.get(gone.id)).toBe('counts');
  expect(reasons.get(counts.id)).toBe('counts');
});

test('M10 the counts of explainUnread add up to unread', async () => {
  const { cid } = await makeRoom(0);
  const gone = await chat.admin.messages.send(cid, 'ana', { text: 'gone' });
  await chat.admin.messages.send(cid, 'ana', { text: 'counts' });
  await chat.admin.messages.delete(gone.id);
  await until(() => stateOf(bo, cid)?.messages[0]?.type === 'deleted', 'the delete');

  const state = stateOf(bo, cid);
  if (!state) throw new Error('no state');
  const { unread, messages } = explainUnread(state);
  expect(messages.filter(({ reason }) => reason === 'counts')).toHaveLength(unread);
});

test('M10 a member who joins later starts with nothing unread', async () => {
  const { cid } = await makeRoom(3);

  await chat.admin.channels.addMembers(cid, ['cy']);
  const cy = await chat.as('cy');
  expect((await cy.call('GET /unread')).channels.some((entry) => entry.channel_id === cid)).toBe(false);

  await ana.client.messages.send(cid, { text: 'new' });
  const { channels } = await cy.call('GET /unread');
  expect(channels.find((entry) => entry.channel_id === cid)?.unread_count).toBe(1);
});

test('M10 strangers mark nothing; a message of another channel is refused', async () => {
  const { path, sent } = await makeRoom(1);
  const other = await makeRoom(1);
  const cy = await chat.as('cy');
  const raw = await chat.as('bo');
  const foreign = { message_id: other.sent[0]?.id ?? '' };

  const stranger = await cy.refused('POST /channels/{type}/{id}/read', { path, body: {} });
  const mark = await cy.refused('POST /channels/{type}/{id}/unread', {
    path,
    body: { message_id: sent[0]?.id ?? '' },
  });
  const read = await raw.refused('POST /channels/{type}/{id}/read', { path, body: foreign });
  const unread = await raw.refused('POST /channels/{type}/{id}/unread', { path, body: foreign });

  expect([stranger.code, mark.code, read.code, unread.code]).toEqual([17, 17, 4, 4]);
});

test('M10 reading and writing at once leave exact counts', async () => {
  const { cid, path } = await makeRoom(1);
  const [writer, reader] = [await chat.as('ana'), await chat.as('bo')];

  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      Promise.all([
        writer.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: `c${index}` } } }),
        reader.call('POST /channels/{type}/{id}/read', { path, body: {} }),
      ]),
    ),
  );
  const { read } = await reader.call('POST /channels/{type}/{id}/read', { path, body: {} });

  expect(read).toMatchObject({ last_read_number: 21, unread_messages: 0 });
  await until(() => stateOf(ana, cid)?.read.bo?.last_read_number === 21, 'the read at Ana');
});

test('M10 where no marks are kept nothing is unread, in the channel and in every total, loaded or not', async () => {
  const id = 'live';
  const cid = `livestream:${id}`;
  await chat.admin.channels.create('livestream', id, { created_by_id: 'ana', members: ['ana', 'cy'] });
  const cy = await chat.connect('cy');
  const total = cy.client.feature(unreadTotal);
  await cy.client.reads.markAllRead();
  await chat.admin.channels.create('messaging', 'quiet', { created_by_id: 'ana', members: ['ana', 'cy'] });
  await chat.admin.messages.send(cid, 'ana', { text: 'on air' });
  await chat.admin.messages.send('messaging:quiet', 'ana', { text: 'off air' });
  await until(() => total.get() === 1, 'the message that counts');

  await cy.client.channels.open('livestream', id);
  expect(stateOf(cy, cid)?.unread).toBe(0);
  const { total_unread_count, channels, uncounted } = await cy.client.reads.unread();
  expect([total_unread_count, channels.map(({ channel_id }) => channel_id)]).toEqual([
    1,
    ['messaging:quiet'],
  ]);
  expect(uncounted).toEqual([cid]);
  expect((await chat.connect('cy')).client.me.get()?.unread_count).toBe(1);
  await expect(
    (await chat.as('cy')).call('POST /channels/{type}/{id}/read', {
      path: { type: 'livestream', id },
      body: {},
    }),
  ).rejects.toThrow('read-events');
});

test('M10 archived channels have a total of their own, also one that no list has loaded', async () => {
  await chat.admin.users.upsert([{ id: 'eve', name: 'Eve' }]);
  await chat.admin.channels.create('messaging', 'shelf', { created_by_id: 'ana', members: ['ana', 'eve'] });
  const cid = 'messaging:shelf';
  const eve = await chat.connect('eve');
  const total = eve.client.feature(unreadTotal);
  await eve.client.feature(channelPreferences).setArchived(cid, true);

  await chat.admin.messages.send(cid, 'ana', { text: 'from the attic' });
  await until(() => total.archived.get() === 1, 'the archived one');
  expect(total.get()).toBe(1);

  await eve.client.feature(channelPreferences).setArchived(cid, false);
  await until(() => total.archived.get() === 0, 'the one that was taken out');
  expect(total.get()).toBe(1);
});

test('M14 an invitation counts neither as a member nor as unread until it is accepted, and says who sent it', async () => {
  await chat.admin.users.upsert([{ id: 'fay', name: 'Fay' }]);
  const cid = await ana.client.channels.open('messaging', 'guests', { members: ['bo'] });
  await ana.client.members.invite(cid, ['fay']);
  const fay = await chat.connect('fay');
  await ana.client.messages.send(cid, { text: 'with a guest' });

  expect(stateOf(ana, cid)?.channel.member_count).toBe(2);
  expect((await fay.client.reads.unread()).total_unread_count).toBe(0);
  await fay.client.channels.watch(cid);
  expect(stateOf(fay, cid)).toMatchObject({ unread: 0, membership: { invited: true, invited_by_id: 'ana' } });
  await fay.client.members.acceptInvite(cid);

  await until(() => stateOf(ana, cid)?.channel.member_count === 3, 'the third member');
  await until(() => stateOf(fay, cid)?.unread === 1, 'what came after the invitation');
  expect((await fay.client.reads.unread()).total_unread_count).toBe(1);
});

test('M10 the filter has_unread finds the channels that count, and no other', async () => {
  await chat.admin.users.upsert([{ id: 'gil', name: 'Gil' }]);
  const create = (type: string, id: string) =>
    chat.admin.channels.create(type, id, { created_by_id: 'ana', members: ['ana', 'gil'] });
  for (const id of ['counts', 'was-read']) await create('messaging', id);
  await create('livestream', 'on-air');
  const invitation = await ana.client.channels.open('messaging', 'come-in', { members: ['bo'] });
  await ana.client.members.invite(invitation, ['gil']);
  const gil = await chat.as('gil');
  const cids = ['messaging:counts', 'messaging:was-read', 'livestream:on-air', invitation];
  for (const cid of cids) await chat.admin.messages.send(cid, 'ana', { text: 'news' });
  await gil.call('POST /channels/{type}/{id}/read', {
    path: { type: 'messaging', id: 'was-read' },
    body: {},
  });
  const found = async (has_unread: boolean) => {
    const { channels } = await gil.call('POST /channels', { body: { filter: { has_unread } } });
    return channels.map(({ channel }) => channel.cid).sort();
  };

  expect(await found(true)).toEqual(['messaging:counts']);
  expect(await found(false)).toEqual(expect.arrayContaining(['livestream:on-air', invitation].sort()));
  const { channels } = await gil.call('GET /unread', {});
  expect(channels.map(({ channel_id }) => channel_id)).toEqual(['messaging:counts']);
});

test('M10 a muted channel counts in no total, and the filter has_unread still finds it', async () => {
  await chat.admin.users.upsert([{ id: 'hal', name: 'Hal' }]);
  for (const id of ['loud', 'muted'])
    await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'hal'] });
  for (const id of ['loud', 'muted', 'muted'])
    await chat.admin.messages.send(`messaging:${id}`, 'ana', { text: 'news' });
  const hal = await chat.as('hal');
  await hal.call('POST /moderation/mute/channel', { body: { channel_cids: ['messaging:muted'] } });
  const found = async (filter: Record<string, unknown>) => {
    const { channels } = await hal.call('POST /channels', { body: { filter } });
    return channels.map(({ channel }) => channel.cid).sort();
  };

  expect(await hal.call('GET /unread', {})).toMatchObject({ total_unread_count: 1 });
  expect(await found({ has_unread: true })).toEqual(['messaging:loud', 'messaging:muted']);
  expect(await found({ has_unread: true, muted: false })).toEqual(['messaging:loud']);
  const { client } = await chat.connect('hal');
  expect(client.me.get()).toMatchObject({ unread_count: 1, unread_channels: 1 });
});

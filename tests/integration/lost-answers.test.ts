/** Actions whose replies the network lost. */
import { draftsWith } from '@parley/client/drafts';
import { pendingMessages } from '@parley/client/messages';
import { reminders as remindersFeature } from '@parley/client/reminders';
import { scheduledMessages } from '@parley/client/scheduled-messages';
import { threads as threadsFeature } from '@parley/client/threads';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
let serial = 0;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'di'] });
});
afterAll(() => chat.stop());

const makeRoom = async (members = ['ana', 'bo']) => {
  const id = `room-${++serial}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members });
  return { id, cid: `messaging:${id}` };
};

/** A client whose answers to some calls are lost, or whose calls are refused, while there are some to lose. */
const connect = async (user: string, lost: RegExp, fault: 'lose' | 'refuse' = 'lose') => {
  const made = await chat.connect(user, { environment: { random: () => 0 } });
  const network = { left: 0, calls: 0 };
  made.faults.onCall((url, method) => {
    if (!lost.test(`${method} ${new URL(url).pathname}`)) return undefined;
    network.calls += 1;
    if (network.left <= 0) return undefined;
    network.left -= 1;
    return fault;
  });
  return { ...made, network };
};

const textsOf = async (cid: string): Promise<string[]> => {
  const raw = await chat.as('ana');
  const [type = '', id = ''] = cid.split(':');
  const reply = await raw.call('POST /channels/{type}/{id}/query', {
    path: { type, id },
    body: { state: true },
  });
  return (reply.messages as { text: string }[]).map(({ text }) => text);
};

test('M10 a mark-read that waits for the network marks only what was there when it was made', async () => {
  const { id, cid } = await makeRoom();
  const { client, network } = await connect('bo', /^POST .*\/read$/, 'refuse');
  await client.channels.open('messaging', id);
  await chat.admin.messages.send(cid, 'ana', { text: 'seen' });
  const unread = () => client.channels.state(cid).get()?.unread;
  await until(() => unread() === 1, 'the message');
  network.left = 1;
  const marked = client.reads.markRead(cid);
  await chat.admin.messages.send(cid, 'ana', { text: 'never seen' });
  await until(() => client.channels.state(cid).get()?.messages.length === 2, 'the second');
  await marked;
  const reply = await (await chat.as('bo')).call('GET /unread', {});
  expect([reply.channels.find((one) => one.channel_id === cid)?.unread_count, unread()]).toEqual([1, 1]);
});

test('M3 a list, and a channel that comes into it, are asked for again when the network lost them', async () => {
  const { client, network } = await connect('cy', /^POST \/api\/channels$/, 'refuse');
  network.left = 2;
  const list = client.channels.list({ filter: { members: { $in: ['cy'] } } });
  await until(() => list.get().status === 'error', 'the failure');
  await until(() => list.get().status === 'ready', 'the list');
  network.left = 1;
  const { cid } = await makeRoom(['ana', 'cy']);
  await until(() => list.get().cids.includes(cid), 'the channel');
  list.stop();
});

test('M8 a draft whose answer was lost is not put together with itself', async () => {
  const { cid } = await makeRoom();
  const { client, network } = await connect('ana', /draft$/);
  const drafts = client.feature(draftsWith({ debounce: 20 }));
  network.left = 1;
  drafts.set(cid, undefined, { text: 'hello' });
  await until(() => network.calls >= 1, 'the first call');
  drafts.set(cid, undefined, { text: 'hallo you' });
  await until(() => network.calls >= 2, 'the second call');
  await until(async () => {
    const { drafts } = await (await chat.as('ana')).call('POST /drafts/query', { body: { filter: { cid } } });
    return drafts[0]?.message.text !== 'hello';
  }, 'the draft');
  expect(drafts.of(cid).get().text).toBe('hallo you');
});

test('M8 a draft whose answer was lost does not come back after its message was sent', async () => {
  const { cid } = await makeRoom();
  const { client, faults } = await connect('ana', /draft$/);
  const drafts = client.feature(draftsWith({ debounce: 20 }));
  let lost = 0;
  faults.onFrame((json) => (json.includes('draft.updated') ? 'drop' : undefined));
  faults.onCall((url, method) =>
    /draft$/.test(url) && method === 'POST' && lost++ < 1 ? 'lose' : undefined,
  );
  drafts.set(cid, undefined, { text: 'hello' });
  await until(() => lost >= 1, 'the first call');
  await until(async () => {
    const { drafts } = await (await chat.as('ana')).call('POST /drafts/query', { body: { filter: { cid } } });
    return drafts.length === 1;
  });
  drafts.reset(cid, undefined, client.messages.send(cid, { text: 'hello' }));
  await until(async () => {
    const { drafts } = await (await chat.as('ana')).call('POST /drafts/query', { body: { filter: { cid } } });
    return drafts.length === 0;
  }, 'the draft to go');
  expect(drafts.of(cid).get().text).toBe('');
});

test('M6 the inbox of threads is asked for again when the network lost it', async () => {
  const { cid } = await makeRoom();
  const { client, network, faults } = await connect('ana', /threads$/, 'refuse');
  const threads = client.feature(threadsFeature);
  await threads.load();
  const { id } = await chat.admin.messages.send(cid, 'ana', { text: 'parent' });
  faults.goOffline();
  await chat.admin.messages.send(cid, 'bo', { text: 'reply', parent_id: id });
  network.left = 1;
  faults.restore();
  await until(
    () => threads.list.get().threads.some((one) => one.parent_message_id === id),
    'the thread',
    15_000,
  );
});

test('M6 a first load of the inbox that the network lost is made again', async () => {
  const { client, network } = await connect('ana', /threads$/, 'refuse');
  const threads = client.feature(threadsFeature);
  network.left = 1;
  await threads.load();
  await until(() => threads.list.get().status === 'ready', 'the list');
});

test('M4 a message along with a change is stored once when the call is made again after a lost answer', async () => {
  const { cid } = await makeRoom();
  const { client, network } = await connect('ana', /room-\d+$/);
  network.left = 1;
  await expect(client.members.add(cid, ['di'], { text: 'di joined' })).rejects.toMatchObject({
    name: 'NetworkError',
  });
  await client.members.add(cid, ['di'], { text: 'di joined' });
  expect(await textsOf(cid)).toEqual(['di joined']);

  network.left = 1;
  const rename = () => client.channels.update(cid, { name: 'Other' }, { text: 'renamed' });
  await expect(rename()).rejects.toMatchObject({ name: 'NetworkError' });
  await rename();
  expect(await textsOf(cid)).toEqual(['di joined', 'renamed']);
  await client.members.add(cid, ['di'], { text: 'di joined' });
  expect(await textsOf(cid), 'the same call after an answer is another').toEqual([
    'di joined',
    'renamed',
    'di joined',
  ]);
});

test('M4 a pending message is stored once when the call is made again after a lost answer', async () => {
  const { cid } = await makeRoom();
  const { client, network } = await connect('ana', /message$/);
  const pending = client.feature(pendingMessages);
  network.left = 1;
  await expect(pending.send(cid, { text: 'wait' })).rejects.toMatchObject({ name: 'NetworkError' });
  await pending.send(cid, { text: 'wait' });
  expect((await pending.list(cid)).map(({ text }) => text)).toEqual(['wait']);
});

test('P4 a message is scheduled once when the call is made again after a lost answer', async () => {
  const { cid } = await makeRoom();
  const { client, network } = await connect('ana', /scheduled_messages$/);
  const scheduled = client.feature(scheduledMessages);
  await until(() => scheduled.isLoaded.get());
  network.left = 1;
  const at = new Date(Date.now() + 3_600_000);
  const message = { text: 'later' };
  await expect(scheduled.add(cid, message, at)).rejects.toMatchObject({ name: 'NetworkError' });
  await scheduled.add(cid, message, at);
  expect(scheduled.all.get().filter((one) => one.cid === cid).length).toBe(1);
});

test('P4 a reload that fails does not throw the answer of the first load away', async () => {
  const { client, faults } = await connect('ana', /nothing/);
  let calls = 0;
  faults.onCall((url) => {
    if (!/reminders\/query/.test(url)) return undefined;
    calls++;
    return calls === 1 ? { delayMs: 800 } : calls === 2 ? 'refuse' : undefined;
  });
  const reminders = client.feature(remindersFeature);
  await until(() => calls === 1);
  await reminders.reload().catch(() => undefined);
  await until(() => reminders.isLoaded.get(), 'loaded');
});

test('M6 a thread that is marked read while the network is away is read up to the reply that was seen', async () => {
  const { id, cid } = await makeRoom();
  const { client, network } = await connect('ana', /^POST .*\/read$/, 'refuse');
  const { id: parent } = await chat.admin.messages.send(cid, 'ana', { text: 'parent' });
  await client.channels.open('messaging', id);
  const threads = client.feature(threadsFeature);
  await chat.admin.messages.send(cid, 'bo', { text: 'seen', parent_id: parent });
  await client.messages.replies.open(cid, parent);
  await threads.load();
  network.left = 1;
  const read = threads.markRead(cid, parent);
  await chat.admin.messages.send(cid, 'bo', { text: 'never seen', parent_id: parent });
  await read;

  const left = () => threads.list.get().threads.find((one) => one.parent_message_id === parent)?.read;
  await until(() => left()?.unread_messages === 1, 'what is left unread');
  const stored = await threads.get(parent);
  expect(stored.read?.unread_messages).toBe(1);
  const raw = await chat.as('ana');
  const wrong = await raw.raw('POST', `/channels/messaging/${id}/read`, {
    body: JSON.stringify({ thread_id: parent, message_id: parent }),
  });
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([400, expect.stringContaining('message_id')]);
});

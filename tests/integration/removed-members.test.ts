import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'], wired: true });
});
afterAll(() => chat.stop());

const ownMembership = /^select .+ from "members" where "cid" = \$1 and "user_id" = \$2$/;
const ownMemberships = /from "members" inner join "channels".*"members"."user_id" = \$/;

let serial = 0;
/** A channel of Ana and Bo, of whose members no cache knows anything yet. */
const makeRoom = async () => {
  const id = `room-${++serial}`;
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  return { id, cid: `messaging:${id}`, path: { type: 'messaging', id } };
};

/** Bo on a connection of the SDK, and all events of messages that it receives. */
const connectBo = async () => {
  const { client } = await chat.connect('bo');
  const received: string[] = [];
  client.on('all', (event) => {
    const { message, cid } = event as { message?: { text?: string }; cid?: string };
    if (message) received.push(`${cid} ${message.text}`);
  });
  const state = client.connection.get();
  const connection_id = state.status === 'online' ? state.connectionId : '';
  /** Events on their way to Bo have arrived once a message of another channel has. */
  const settled = async () => {
    const { cid } = await makeRoom();
    await chat.admin.messages.send(cid, 'ana', { text: 'marker' });
    await until(() => received.includes(`${cid} marker`), 'the marker');
  };
  return { received, query: { connection_id }, settled };
};

const inDatabase = async (statement: string, values: string[]): Promise<void> => {
  const database = new pg.Client({ connectionString: chat.databaseUrl });
  await database.connect();
  await database.query(statement, values);
  await database.end();
};
const freeze = (cid: string) => inDatabase('update channels set frozen = true where cid = $1', [cid]);

/** Removes Bo while the answer about Bo's membership is on its way. */
const removeDuring = async (cid: string, pattern: RegExp, run: () => Promise<unknown>): Promise<unknown> => {
  // Other connections of Bo may still ask about channels of earlier tests.
  const held = chat.wire.holdAnswer(pattern, pattern === ownMembership ? cid : undefined);
  const running = run();
  const { release } = await held;
  await chat.admin.channels.removeMembers(cid, ['bo']);
  release();
  return running;
};

test('G2 a member removed while a channel is opened gets no state of it and receives nothing', async () => {
  const bo = await connectBo();
  const caller = await chat.as('bo');
  const { cid, path } = await makeRoom();

  const refusal = await removeDuring(cid, ownMembership, () =>
    caller.refused('POST /channels/{type}/{id}/query', { path, query: bo.query, body: { watch: true } }),
  );
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await bo.settled();

  expect(refusal).toMatchObject({ name: 'NotAllowed' });
  expect(bo.received.join()).not.toContain('secret');
});

test('G2 a member removed while the log is read gets nothing of it', async () => {
  const bo = await chat.as('bo');
  const { cid } = await makeRoom();
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });

  const reply = await removeDuring(cid, /from "events"/, () =>
    bo.call('POST /sync', { body: { cursors: { [cid]: 0 } } }),
  );

  expect(reply).toEqual({ events: [], resync: [cid] });
});

test.each([
  ['edited', 'PUT', '', { message: { text: 'other' } }],
  ['pinned', 'PATCH', '', { set: { pinned: true } }],
  ['reacted to', 'POST', '/reaction', { reaction: { type: 'like' } }],
  ['rid of a reaction', 'DELETE', '/reaction/wow', undefined],
])(
  'G2 a message is not %s in a channel that was frozen after the first look',
  async (_name, method, rest, body) => {
    const { cid } = await makeRoom();
    const bo = await chat.as('bo');
    const { id } = await chat.admin.messages.send(cid, 'bo', { text: 'mine' });
    await bo.call('POST /messages/{id}/reaction', { path: { id }, body: { reaction: { type: 'wow' } } });

    const held = chat.wire.holdAnswer(/^select .* from "messages" where .*"id" = \$1/);
    const running = bo.raw(method, `/messages/${id}${rest}`, body ? { body: JSON.stringify(body) } : {});
    const { release } = await held;
    // The change is in the database alone: the cache that the first look asks does not know of it.
    await freeze(cid);
    release();

    expect(await running).toMatchObject({ status: 403, body: { name: 'NotAllowed' } });
  },
);

test('G2 nobody votes in a channel that was frozen after the first look', async () => {
  const { cid, path } = await makeRoom();
  const bo = await chat.as('bo');
  const { poll } = await bo.call('POST /polls', { body: { name: 'When?', options: [{ text: 'now' }] } });
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { poll_id: poll.id } },
  });
  const vote = () =>
    bo.raw('POST', `/messages/${message.id}/polls/${poll.id}/vote`, {
      body: JSON.stringify({ vote: { option_id: poll.options[0]?.id } }),
    });

  // The change is in the database alone: the cache that the first look asks does not know of it.
  await freeze(cid);

  expect(await vote()).toMatchObject({ status: 403, body: { name: 'NotAllowed' } });
});

test('G2 a member removed while channels are listed finds and receives nothing of theirs', async () => {
  const bo = await connectBo();
  const caller = await chat.as('bo');
  const { cid } = await makeRoom();

  const page = await removeDuring(cid, ownMembership, () =>
    caller.call('POST /channels', {
      query: bo.query,
      body: { filter: { cid }, watch: true, presence: true },
    }),
  );
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await bo.settled();

  expect(page).toMatchObject({ channels: [] });
  expect(bo.received.join()).not.toContain('secret');
});

test('G2 a member removed while threads are listed finds and receives nothing of theirs', async () => {
  const bo = await connectBo();
  const caller = await chat.as('bo');
  const { cid } = await makeRoom();
  const parent = await chat.admin.messages.send(cid, 'bo', { text: 'question' });
  await chat.admin.messages.send(cid, 'ana', { text: 'answer', parent_id: parent.id });
  await chat.admin.channels.update(cid, { data: { name: 'forgotten by caches' } });

  const page = await removeDuring(cid, ownMembership, () =>
    caller.call('POST /threads', { query: bo.query, body: { watch: true } }),
  );
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await bo.settled();

  expect(
    (page as { threads: { channel: { cid: string } }[] }).threads.map(({ channel }) => channel.cid),
  ).not.toContain(cid);
  expect(bo.received.join()).not.toContain('secret');
});

test('G2 a member removed while connecting is not notified of the messages that follow', async () => {
  const { cid } = await makeRoom();

  const bo = (await removeDuring(cid, ownMemberships, connectBo)) as Awaited<ReturnType<typeof connectBo>>;
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await bo.settled();

  expect(bo.received.join()).not.toContain('secret');
});

test('G2 a member removed while a long poll opens a channel receives nothing', async () => {
  const caller = await chat.as('bo');
  const { connection_id = '' } = await caller.call('POST /longpoll', {
    body: { payload: { user_id: 'bo' } },
  });
  const { cid, path } = await makeRoom();

  const refusal = await removeDuring(cid, ownMembership, () =>
    caller.refused('POST /channels/{type}/{id}/query', {
      path,
      query: { connection_id },
      body: { watch: true },
    }),
  );
  const { cid: other } = await makeRoom();
  await chat.admin.messages.send(cid, 'ana', { text: 'secret' });
  await chat.admin.messages.send(other, 'ana', { text: 'marker' });
  const { events } = await caller.call('POST /longpoll', { body: { connection_id, ack: 0 } });

  expect(refusal).toMatchObject({ name: 'NotAllowed' });
  expect(JSON.stringify(events)).toContain('marker');
  expect(JSON.stringify(events)).not.toContain('secret');
});

test('G2 a member removed and added again in between receives the channel', async () => {
  const bo = await connectBo();
  const caller = await chat.as('bo');
  const { cid, path } = await makeRoom();

  await removeDuring(cid, ownMembership, async () => {
    const running = caller.raw(
      'POST',
      `/channels/messaging/${path.id}/query?connection_id=${bo.query.connection_id}`,
      {
        body: JSON.stringify({ watch: true }),
      },
    );
    return running;
  });
  await chat.admin.channels.addMembers(cid, ['bo']);
  await caller.call('POST /channels/{type}/{id}/query', { path, query: bo.query, body: { watch: true } });
  await chat.admin.messages.send(cid, 'ana', { text: 'welcome back' });

  await until(() => bo.received.includes(`${cid} welcome back`), 'the message');
  await bo.settled();
  expect(bo.received.filter((line) => line.startsWith(cid))).toHaveLength(1);
});

test.each([
  ['emptied', 'POST', '/truncate', {}],
  ['changed', 'PATCH', '', { set: { name: 'taken' } }],
  ['deleted', 'DELETE', '', undefined],
])('G2 a channel is not %s by who was removed after the first look', async (_name, method, rest, body) => {
  const id = `room-${crypto.randomUUID()}`;
  const cid = `team:${id}`;
  await chat.admin.channels.create('team', id, { created_by_id: 'ana', members: ['ana', 'bo'] });
  await chat.admin.channels.update(cid, { add_moderators: ['bo'] });
  const bo = await chat.as('bo');
  await bo.call('POST /channels/{type}/{id}/message', {
    path: { type: 'team', id },
    body: { message: { text: 'still here' } },
  });

  // The change is in the database alone: the cache that the first look asks does not know of it.
  await inDatabase('delete from members where cid = $1 and user_id = $2', [cid, 'bo']);
  const reply = await bo.raw(
    method,
    `/channels/team/${id}${rest}`,
    body ? { body: JSON.stringify(body) } : {},
  );

  expect(reply).toMatchObject({ status: 403, body: { name: 'NotAllowed' } });
});

const removeUnseen = (cid: string) =>
  // The change is in the database alone: the cache that the first look asks does not know of it.
  inDatabase('delete from members where cid = $1 and user_id = $2', [cid, 'bo']);

/** A poll and a thread of Bo's in a channel that Bo belongs to, as caches know. */
const makePollAndThread = async () => {
  const { id, cid, path } = await makeRoom();
  const bo = await chat.as('bo');
  const { poll } = await bo.call('POST /polls', {
    body: { name: 'When?', options: [{ id: 'now', text: 'now' }, { text: 'never' }] },
  });
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'root', poll_id: poll.id } },
  });
  await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'reply', parent_id: message.id } },
  });
  return { id, cid, bo, poll: poll.id, root: message.id };
};

test.each([
  ['changes a poll', 'PATCH', '/polls/{poll}', { set: { name: 'new question' } }],
  ['replaces a poll', 'PUT', '/polls', { id: '{poll}', name: 'new question', options: [{ text: 'x' }] }],
  ['closes a poll', 'PATCH', '/polls/{poll}', { set: { is_closed: true } }],
  ['deletes a poll', 'DELETE', '/polls/{poll}', undefined],
  ['adds an option', 'POST', '/polls/{poll}/options', { text: 'later' }],
  ['rewords an option', 'PUT', '/polls/{poll}/options', { id: 'now', text: 'later' }],
  ['removes an option', 'DELETE', '/polls/{poll}/options/now', undefined],
  ['votes', 'POST', '/messages/{root}/polls/{poll}/vote', { vote: { option_id: 'now' } }],
  ['names a thread', 'PATCH', '/threads/{root}', { set: { title: 'taken' } }],
  ['sends', 'POST', '/channels/messaging/{id}/message', { message: { text: 'after' } }],
  [
    'replies',
    'POST',
    '/channels/messaging/{id}/message',
    { message: { text: 'after', parent_id: '{root}' } },
  ],
  [
    'quotes',
    'POST',
    '/channels/messaging/{id}/message',
    { message: { text: 'x', quoted_message_id: '{root}' } },
  ],
])('G2 a member removed after the first look no longer %s', async (_name, method, address, body) => {
  const room = await makePollAndThread();
  const fill = (text: string) =>
    text.replace('{poll}', room.poll).replace('{root}', room.root).replace('{id}', room.id);
  await removeUnseen(room.cid);

  const reply = await room.bo.raw(method, fill(address), body ? { body: fill(JSON.stringify(body)) } : {});

  expect(reply).toMatchObject({ status: 403, body: { name: 'NotAllowed' } });
});

test('G2 of many sends at once those of who was removed after the first look are refused', async () => {
  const { id, cid } = await makePollAndThread();
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const send = (who: typeof ana) =>
    who.raw('POST', `/channels/messaging/${id}/message`, {
      body: JSON.stringify({ message: { text: 'x' } }),
    });
  await send(ana);
  await removeUnseen(cid);

  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => send(index % 2 ? ana : bo)));

  expect(replies.map(({ status }) => status)).toEqual(replies.map((_, index) => (index % 2 ? 201 : 403)));
});

test('G2 a user who writes without being a member goes on writing', async () => {
  await chat.admin.channels.create('livestream', 'open', { created_by_id: 'ana', members: ['ana'] });
  const bo = await chat.as('bo');
  const path = { type: 'livestream', id: 'open' };
  const { message } = await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'from outside' } },
  });

  await bo.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'a reply from outside', parent_id: message.id } },
  });
});

import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectFrame, openSocket } from './support.ts';
import { uploaderOf } from './upload-support.ts';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'], wired: true });
});
afterAll(() => chat.stop());

const writesMessage = /(insert into|update) "?messages"?/;
let serial = 0;

/** A channel that Bo watches, with all frames of it that come to Bo; Cy is a member who does not watch. */
const makeRoom = async () => {
  const id = `room-${++serial}`;
  const members = ['ana', 'bo', 'cy'];
  await chat.admin.channels.create('messaging', id, { created_by_id: 'ana', members });
  const cid = `messaging:${id}`;
  const [bo, cy] = [await chat.connect('bo'), await chat.connect('cy')];
  const frames: { type: string; seq?: number; text?: string | undefined }[] = [];
  bo.faults.onFrame((json) => {
    const event = JSON.parse(json) as {
      type: string;
      cid?: string;
      seq?: number;
      message?: { text?: string };
    };
    if (event.cid === cid && event.seq !== undefined && event.type !== 'message.delivered')
      frames.push({ type: event.type, ...(event.seq ? { seq: event.seq } : {}), text: event.message?.text });
    return undefined;
  });
  const notified: string[] = [];
  cy.client.on('notification.message_new', ({ message }) => void notified.push(message.text ?? ''));
  await bo.client.channels.open('messaging', id);
  const texts = () => frames.filter(({ type }) => type === 'message.new').map(({ text }) => text);
  return { id, cid, bo: bo.client, frames, notified, texts, path: { type: 'messaging', id } };
};

test('M1 a message whose commit lost its answer is received once, and its sender gets the answer', async () => {
  const { path, texts, notified } = await makeRoom();
  const ana = await chat.as('ana');

  const lost = chat.wire.loseCommit(writesMessage);
  const message = { id: `lost-${serial}`, text: 'stored' };
  const sent = await ana.call('POST /channels/{type}/{id}/message', { path, body: { message } });
  await lost;
  await until(() => texts().length > 0 && notified.length > 0, 'the event');
  const again = await ana.raw('POST', `/channels/messaging/${path.id}/message`, {
    body: JSON.stringify({ message }),
  });
  await ana.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'next' } } });
  await until(() => texts().includes('next') && notified.includes('next'), 'the next one');

  expect(sent.message).toMatchObject({ id: message.id, text: 'stored' });
  expect(again.status).toBe(200);
  expect(texts()).toEqual(['stored', 'next']);
  expect(notified).toEqual(['stored', 'next']);
});

test('M1 a reply and an edit whose commits lost their answers are received once', async () => {
  const { path, frames } = await makeRoom();
  const ana = await chat.as('ana');
  const first = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'first' } },
  });
  await until(() => frames.length > 0, 'the first');
  frames.length = 0;

  for (const text of ['one', 'two']) {
    const lost = chat.wire.loseCommit(writesMessage);
    await ana.call('PATCH /messages/{id}', { path: { id: first.message.id }, body: { set: { text } } });
    await lost;
  }
  const lost = chat.wire.loseCommit(writesMessage);
  const reply = { text: 'reply', parent_id: first.message.id };
  await ana.call('POST /channels/{type}/{id}/message', { path, body: { message: reply } });
  await lost;
  await until(() => frames.length >= 4, 'all events');

  const seqs = frames.map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(4);
  expect(frames.map(({ text }) => text)).toEqual(['one', 'two', 'reply', 'two']);
});

test('M1 a member removed by a commit that lost its answer is served no more, and the others are notified of it', async () => {
  const { cid, path, frames } = await makeRoom();
  const cy = await chat.as('cy');
  await cy.call('POST /channels/{type}/{id}/query', { path, body: {} });

  const lost = chat.wire.loseCommit(/^delete from "members"/);
  await chat.admin.channels.removeMembers(cid, ['cy']);
  await lost;

  expect(await cy.refused('POST /channels/{type}/{id}/query', { path, body: {} })).toMatchObject({
    name: 'NotAllowed',
  });
  await until(() => frames.some(({ type }) => type === 'member.removed'), 'the removal');
});

test('M1 a channel deleted for good by a commit that lost its answer is gone for who watched it', async () => {
  const { cid, bo, frames, path } = await makeRoom();
  const server = await chat.as();

  const lost = chat.wire.loseCommit(/^delete from "channels"/);
  await server.call('DELETE /channels/{type}/{id}', { path, query: { hard_delete: 'true' } });
  await lost;

  await until(() => frames.some(({ type }) => type === 'channel.deleted'), 'the deletion');
  await until(() => bo.channels.state(cid).get() === undefined, 'it to go');
});

test('M1 a commit that failed is not published', async () => {
  const { path, texts } = await makeRoom();
  const ana = await chat.as('ana');

  const cut = chat.wire.cutBefore(/insert into events/);
  const message = { id: `never-${serial}`, text: 'never' };
  const failed = await ana.raw('POST', `/channels/messaging/${path.id}/message`, {
    body: JSON.stringify({ message }),
  });
  await cut;
  const again = await ana.raw('POST', `/channels/messaging/${path.id}/message`, {
    body: JSON.stringify({ message: { ...message, text: 'later' } }),
  });
  await until(() => texts().length > 0, 'the message');

  expect(failed.status).toBeGreaterThanOrEqual(500);
  expect(again.status).toBe(201);
  expect(texts()).toEqual(['later']);
});

const openDatabase = async (): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  return client;
};

/** Asked outside a transaction: inside one PostgreSQL answers each time what it answered first. */
const waitingForLocks = async (database: pg.Client): Promise<number> => {
  const { rows } = await database.query(
    `select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0].count;
};

test('M1 messages of a batch whose commit lost its answer are each received once, and each sender gets an answer', async () => {
  const { cid, path, texts, frames } = await makeRoom();
  const ana = await chat.as('ana');
  const send = (text: string) =>
    ana.raw('POST', `/channels/messaging/${path.id}/message`, {
      body: JSON.stringify({ message: { id: `${path.id}-${text}`, text } }),
    });

  const bo = await chat.as('bo');
  const taken = { id: `${path.id}-taken`, text: 'of bo' };
  await bo.call('POST /channels/{type}/{id}/message', { path, body: { message: taken } });

  // While another transaction holds the channel they gather, and are stored together once it is free.
  const [database, onlooker] = [await openDatabase(), await openDatabase()];
  await database.query('begin');
  await database.query('select from channels where cid = $1 for update', [cid]);
  const lost = chat.wire.loseCommit(/select unnest\(\$1::text\[\]\)\)\s+insert into messages/);
  const names = Array.from({ length: 12 }, (_, index) => `batch-${index}`);
  const sending = Promise.all(names.map(send));
  const refused = send('taken');
  await until(async () => (await waitingForLocks(onlooker)) > 0, 'a send that waits for the channel');
  await database.query('commit');
  const replies = await sending;
  expect((await refused).status).toBe(409);
  await lost;
  await Promise.all([database.end(), onlooker.end()]);
  const again = await Promise.all(names.map(send));
  await send('last');
  await until(() => texts().includes('last'), 'the last one');

  for (const { status } of replies) expect([200, 201]).toContain(status);
  expect(again.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(texts().toSorted()).toEqual([...names, 'last', 'of bo'].toSorted());
  const seqs = frames.map(({ seq }) => seq);
  expect(new Set(seqs).size).toBe(seqs.length);
});

test('P2 a vote whose commit lost its answer counts once, is published, and can be repeated', async () => {
  const { path, frames } = await makeRoom();
  const ana = await chat.as('ana');
  const { poll } = await ana.call('POST /polls', { body: { name: 'When?', options: [{ text: 'now' }] } });
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { poll_id: poll.id } },
  });
  const vote = () =>
    ana.raw('POST', `/messages/${message.id}/polls/${poll.id}/vote`, {
      body: JSON.stringify({ vote: { option_id: poll.options[0]?.id } }),
    });

  const lost = chat.wire.loseCommit(/insert into poll_votes/);
  const first = await vote();
  await lost;
  await until(() => frames.some(({ type }) => type.startsWith('poll.')), 'the event of the vote');
  const again = await vote();

  // The server cannot know what became of it: the caller repeats.
  expect([201, 503]).toContain(first.status);
  expect(again.status).toBe(200);
  expect(again.body).toMatchObject({ poll: { vote_count: 1 } });
  expect(frames.filter(({ type }) => type.startsWith('poll.'))).toHaveLength(1);
});

test('P5 a step of a location whose publishing lost its answer is received once', async () => {
  const { path, frames } = await makeRoom();
  const ana = await chat.as('ana');
  const device = { created_by_device_id: 'phone' };
  const end_at = new Date(Date.now() + 900_000).toISOString();
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { shared_location: { latitude: 1, longitude: 2, ...device, end_at } } },
  });
  const move = (latitude: number) =>
    ana.call('PUT /users/live_locations', {
      body: { message_id: message.id, ...device, latitude, longitude: 2 },
    });
  const steps = () => frames.filter(({ type }) => type === 'live_location_sharing.updated');

  const lost = chat.wire.loseCommit(/insert into events .*\s+select cid, seq, \$4/);
  await move(3);
  await lost;
  await until(() => steps().length > 0, 'the step');
  await move(4);
  await until(() => steps().length > 1, 'the next step');

  expect(new Set(steps().map(({ seq }) => seq)).size).toBe(2);
  expect(steps()).toHaveLength(2);
});

/** The events of one person that name this channel, in order. */
const personalEvents = async (cid: string): Promise<string[]> => {
  const types: string[] = [];
  const { faults } = await chat.connect('ana');
  faults.onFrame((json) => {
    const event = JSON.parse(json) as { type: string; cid?: string; seq?: number };
    if (event.cid === cid && event.seq === undefined) types.push(event.type);
    return undefined;
  });
  return types;
};

test('M8 drafts whose commits lost their answers are published to the other devices of their author', async () => {
  const { cid, path } = await makeRoom();
  const types = await personalEvents(cid);
  const ana = await chat.as('ana');

  const savedLost = chat.wire.loseCommit(/insert into drafts/);
  const save = await ana.raw('POST', `/channels/messaging/${path.id}/draft`, {
    body: JSON.stringify({ message: { text: 'half a thought' } }),
  });
  await savedLost;
  await until(() => types.includes('draft.updated'), 'the draft');
  const removedLost = chat.wire.loseCommit(/^delete from "drafts"/);
  const removal = await ana.raw('DELETE', `/channels/messaging/${path.id}/draft`);
  await removedLost;
  await until(() => types.includes('draft.deleted'), 'the removal');

  expect([save.status, removal.status]).toEqual([200, 200]);
  expect(types).toEqual(['draft.updated', 'draft.deleted']);
});

test('M12 pending messages whose commits lost their answers are published to the other devices of their author', async () => {
  const { cid, path } = await makeRoom();
  const types = await personalEvents(cid);
  const ana = await chat.as('ana');
  const id = `kept-${serial}`;
  const hold = () =>
    ana.raw('POST', `/channels/messaging/${path.id}/message`, {
      body: JSON.stringify({ message: { id, text: 'kept back' }, pending: true }),
    });

  const keptLost = chat.wire.loseCommit(/^insert into "pending_messages"/);
  const first = await hold();
  await keptLost;
  await until(() => types.includes('notification.pending_message'), 'the pending message');
  const again = await hold();
  const discardLost = chat.wire.loseCommit(/^delete from "pending_messages"/);
  const discarded = await ana.raw('DELETE', `/messages/${id}`);
  await discardLost;
  await until(() => types.includes('notification.pending_message_deleted'), 'the discard');

  expect([first.status, again.status, discarded.status]).toEqual([201, 200, 200]);
  expect(types).toEqual(['notification.pending_message', 'notification.pending_message_deleted']);
});

/** Loses the answer of a commit, and keeps its outcome back until the caller has given up. */
const loseForLong = async (pattern: RegExp, act: () => Promise<{ status: number }>): Promise<number> => {
  const lost = chat.wire.loseCommit(pattern);
  const outcome = chat.wire.holdAnswer(/pg_xact_status/);
  const { status } = await act();
  await lost;
  (await outcome).release();
  return status;
};

test('M12 a mute and a pending message whose outcome is found late are published all the same', async () => {
  const { cid, path } = await makeRoom();
  const types: string[] = [];
  const { faults } = await chat.connect('ana');
  faults.onFrame((json) => {
    const { type, channel_mutes: mutes } = JSON.parse(json) as { type: string; channel_mutes?: unknown[] };
    if (type === 'notification.pending_message' || mutes) types.push(type);
    return undefined;
  });
  const ana = await chat.as('ana');

  const muted = await loseForLong(/^update "members"/, () =>
    ana.raw('POST', '/moderation/mute/channel', { body: JSON.stringify({ channel_cids: [cid] }) }),
  );
  await until(() => types.includes('notification.channel_mutes_updated'), 'the mute');
  const kept = await loseForLong(/^insert into "pending_messages"/, () =>
    ana.raw('POST', `/channels/messaging/${path.id}/message`, {
      body: JSON.stringify({ message: { text: 'kept back' }, pending: true }),
    }),
  );
  await until(() => types.includes('notification.pending_message'), 'the pending message');

  expect([muted, kept]).toEqual([503, 503]);
});

const connected = async (): Promise<string[]> => {
  const metrics = await (await fetch(`${chat.url}/metrics`)).text();
  return metrics.split('\n').filter((line) => /^parley_(connections|users_online) /.test(line));
};

test('C1 a hello that fails leaves no connection behind, and nobody online', async () => {
  await chat.admin.users.upsert([{ id: 'dee' }]);
  const socket = openSocket(chat);
  await socket.opened;
  const before = await connected();

  const cut = chat.wire.cutBefore(/from "members" inner join "channels".*"members"."user_id" = \$/);
  socket.send(connectFrame(await chat.token('dee')));
  await cut;
  await socket.closed;

  expect(socket.errors()).toHaveLength(1);
  expect(await connected()).toEqual(before);
});

test('A1 an upload whose commit lost its answer is stored whole: its repeat finds it, and it can be read', async () => {
  const ana = await uploaderOf(chat, 'ana');
  const upload = () => ana.upload('/uploads/file?upload_id=lost', 'hello', 'a.txt');

  const lost = chat.wire.loseCommit(/update "files" set .*"state"/);
  const first = await upload();
  await lost;
  const again = await upload();

  expect([first.status, again.status]).toEqual([503, 200]);
  const got = await fetch(new URL(again.body.file, chat.url));
  expect([got.status, await got.text()]).toEqual([200, 'hello']);
});

test('C11 settings of the app whose commit lost its answer hold at once', async () => {
  const server = await chat.as();

  const lost = chat.wire.loseCommit(/update "apps"/);
  const changed = await server.raw('PATCH', '/app', { body: JSON.stringify({ guests_enabled: false }) });
  await lost;

  expect(changed.status).toBe(200);
  expect((await server.raw('GET', '/app')).body).toMatchObject({ app: { guests_enabled: false } });
  await server.raw('PATCH', '/app', { body: JSON.stringify({ guests_enabled: true }) });
});

/** Makes a call whose transaction the database holds up until the caller gives up; returns what lets it go on. */
const giveUp = async (userId: string, method: string, path: string, body: unknown) => {
  const caller = await chat.as(userId);
  for (;;) {
    const holding = chat.wire.holdAnswer(/^(begin|start transaction)/);
    const call = caller.raw(method, path, { body: JSON.stringify(body), signal: AbortSignal.timeout(3000) });
    const isDone = await call.then(
      () => true,
      () => false,
    );
    const held = await holding;
    if (!isDone) return held;
    // A job of the server had begun a transaction at that moment, which was held in place of that of the call.
    held.release();
  }
};

test('M4 a name that the database held up until its caller gave up does not replace a later one', async () => {
  const ana = await chat.as('ana');
  const held = await giveUp('ana', 'PATCH', '/users', { users: [{ id: 'ana', set: { name: 'Older' } }] });

  await ana.call('PATCH /users', { body: { users: [{ id: 'ana', set: { name: 'Newer' } }] } });
  held.release();
  await ana.call('PATCH /users', { body: { users: [{ id: 'ana', set: { mood: 'fine' } }] } });

  const { users } = await ana.call('POST /users/query', { body: { filter: { id: 'ana' } } });
  expect(users).toMatchObject([{ name: 'Newer', mood: 'fine' }]);
});

test('M4 a live location that the database held up until its caller gave up ends when a later call said', async () => {
  const { id } = await makeRoom();
  const ana = await chat.as('ana');
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const { message } = await ana.call('POST /channels/{type}/{id}/message', {
    path: { type: 'messaging', id },
    body: {
      message: {
        shared_location: { latitude: 1, longitude: 1, created_by_device_id: 'phone', end_at: inHours(1) },
      },
    },
  });
  const share = { message_id: message.id, created_by_device_id: 'phone' };
  const held = await giveUp('ana', 'PUT', '/users/live_locations', { ...share, end_at: inHours(9) });

  const end = inHours(2);
  await ana.call('PUT /users/live_locations', { body: { ...share, end_at: end } });
  held.release();
  // It waits for the same channel: what was held is decided before it is answered.
  await ana.call('POST /messages/{id}/reaction', {
    path: { id: message.id },
    body: { reaction: { type: 'like' } },
  });

  const { active_live_locations } = await ana.call('GET /users/live_locations', {});
  // Ana shares that of another test, too.
  const shared = active_live_locations.filter(({ message_id }) => message_id === message.id);
  expect(shared).toMatchObject([{ end_at: end }]);
});

test('M4 a write that the database held up until its caller gave up is not done over later writes', async () => {
  const { id, cid } = await makeRoom();
  const { client } = await chat.connect('ana', { httpTimeout: 3000 });
  await client.channels.open('messaging', id);
  const sent = await client.messages.send(cid, { text: 'v1' });
  const ref = { cid, id: sent.id };

  const editHeld = async () => {
    const holding = chat.wire.holdAnswer(/^(begin|start transaction)/);
    const outcome = client.messages.edit(ref, { text: 'v2' }).then(
      () => 'edited',
      (error: unknown) => error,
    );
    return { held: await holding, outcome: await outcome };
  };
  let { held, outcome } = await editHeld();
  // A job of the server may begin a transaction at that moment, which is then held in place of the edit.
  while (outcome === 'edited') {
    held.release();
    ({ held, outcome } = await editHeld());
  }
  expect(outcome).toMatchObject({ name: 'NetworkError', timedOut: true });
  await client.messages.edit(ref, { text: 'v3' });
  held.release();
  await client.reactions.add(ref, 'like');

  await expect(client.messages.get(sent.id)).resolves.toMatchObject({ text: 'v3' });
  // The log shows that no change of the message came after v3 but the reaction.
  const texts = client.channels
    .state(cid)
    .get()
    ?.messages.map(({ text }) => text);
  expect(texts).toEqual(['v3']);
});

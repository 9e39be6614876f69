import { createHash } from 'node:crypto';
import { selectChannelTitle } from '@parley/client';
import { createTestChat, type TestChat, until } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy', 'dee'] });
  await chat.admin.users.upsert([{ id: 'boss', name: 'Boss', role: 'admin' }]);
});
afterAll(() => chat.stop());

const oldKey = (type: string, ids: string[]) =>
  createHash('sha256')
    .update(JSON.stringify([type, ids]))
    .digest('base64url');
const direct = async (user: string, members: string[], type = 'messaging') =>
  (await chat.as(user)).call('POST /channels/{type}/query', { path: { type }, body: { data: { members } } });
const pathOf = (cid: string) => ({
  type: cid.slice(0, cid.indexOf(':')),
  id: cid.slice(cid.indexOf(':') + 1),
});
const idsOf = (state: { members: { user_id: string }[] }) =>
  state.members.map(({ user_id }) => user_id).sort();

test('M1 the id of a direct conversation cannot be chosen, by a client or a server', async () => {
  for (const [user, extra] of [
    ['cy', {}],
    [undefined, { created_by_id: 'cy' }],
  ] as const)
    for (const id of [`!members-${oldKey('messaging', ['ana', 'bo'])}`, '!members-mine', '!members-']) {
      const refusal = await (await chat.as(user)).refused('POST /channels/{type}/{id}/query', {
        path: { type: 'messaging', id },
        body: { data: { members: ['cy'], ...extra } },
      });
      expect(refusal).toMatchObject({ code: 4, details: [{ path: 'id' }] });
    }
  const { channel } = await direct('ana', ['bo']);
  expect(channel.id).toMatch(/^!members-/);
  expect(channel.id).not.toContain(oldKey('messaging', ['ana', 'bo']));
});

test('M1 the same people get the same conversation, whoever asks, also at once', async () => {
  const asked = await Promise.all([
    direct('ana', ['cy']),
    direct('cy', ['ana']),
    direct('ana', ['cy', 'ana']),
  ]);
  expect(new Set(asked.map(({ channel }) => channel.cid)).size).toBe(1);
  expect((await direct('ana', ['cy'], 'team')).channel.cid).not.toBe(asked[0]?.channel.cid);
});

test('M1 nobody adds a third to a direct conversation, nor removes one of the two', async () => {
  const { channel } = await direct('ana', ['bo']);
  const path = pathOf(channel.cid);
  for (const user of ['ana', 'bo', 'boss', undefined])
    for (const body of [
      { add_members: ['cy'] },
      { invites: ['cy'] },
      { add_members: [{ user_id: 'cy', channel_role: 'channel_moderator' }] },
    ])
      expect(await (await chat.as(user)).refused('POST /channels/{type}/{id}', { path, body })).toMatchObject(
        {
          name: 'NotAllowed',
          message: expect.stringContaining('add-channel-members'),
        },
      );
  for (const user of ['ana', 'bo', 'boss'])
    expect(
      await (await chat.as(user)).refused('POST /channels/{type}/{id}', {
        path,
        body: { remove_members: [user === 'ana' ? 'bo' : 'ana'] },
      }),
    ).toMatchObject({ name: 'NotAllowed', message: expect.stringContaining('remove-channel-members') });
  expect(idsOf(await direct('bo', ['ana']))).toEqual(['ana', 'bo']);
});

test('M1 a user who leaves a direct conversation comes back by asking for it; a third neither reads nor joins', async () => {
  const { channel } = await direct('dee', ['bo']);
  const path = pathOf(channel.cid);
  const [bo, dee, cy] = [await chat.as('bo'), await chat.as('dee'), await chat.as('cy')];
  await dee.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'between us' } } });
  await bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['bo'] } });
  expect((await bo.refused('POST /channels/{type}/{id}/query', { path, body: {} })).code).toBe(17);
  expect(idsOf(await direct('dee', ['bo']))).toEqual(['dee']);

  const back = await direct('bo', ['dee']);
  expect(back.channel.cid).toBe(channel.cid);
  expect(idsOf(back)).toEqual(['bo', 'dee']);
  expect(back.messages.map(({ text }) => text)).toEqual(['between us']);
  expect((await cy.refused('POST /channels/{type}/{id}/query', { path, body: {} })).code).toBe(17);
  expect((await cy.refused('POST /channels/{type}/{id}', { path, body: { add_members: ['cy'] } })).code).toBe(
    17,
  );
  await bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['bo'] } });
  await dee.call('POST /channels/{type}/{id}', { path, body: { add_members: ['bo'] } });
  expect(idsOf(await direct('dee', ['bo']))).toEqual(['bo', 'dee']);
});

test.each(['gaming', 'livestream'])(
  'M1 in a type that is open to all (%s) a direct conversation is not',
  async (type) => {
    const body = { data: { members: ['ana', 'bo'], created_by_id: 'ana' } };
    const { channel } = await (await chat.as()).call('POST /channels/{type}/query', { path: { type }, body });
    const path = pathOf(channel.cid);
    const cy = await chat.as('cy');
    expect((await cy.refused('POST /channels/{type}/{id}/query', { path, body: {} })).code).toBe(17);
    expect(
      (await cy.refused('POST /channels/{type}/{id}', { path, body: { add_members: ['cy'] } })).code,
    ).toBe(17);
    expect((await cy.call('POST /channels', { body: { filter: { cid: channel.cid } } })).channels).toEqual(
      [],
    );
  },
);

test('M1 after a direct conversation was deleted its people have a new one', async () => {
  const { channel } = await direct('ana', ['dee']);
  await (await chat.as('ana')).call('DELETE /channels/{type}/{id}', { path: pathOf(channel.cid) });
  const next = await direct('dee', ['ana']);
  expect(next.channel.cid).not.toBe(channel.cid);
  expect(idsOf(next)).toEqual(['ana', 'dee']);
});

test("M1 conversations of before keep their id and their people; a squatted id is in nobody's way", async () => {
  const { channel } = await direct('cy', ['dee']);
  const key = oldKey('messaging', ['cy', 'dee']);
  const old = `messaging:!members-${key}`;
  const db = new pg.Client({ connectionString: chat.databaseUrl });
  await db.connect();
  const rename = `set session_replication_role = replica; update channels set cid = '${old}', id = '!members-${key}',
    distinct_members = null where cid = '${channel.cid}'; update members set cid = '${old}' where cid = '${channel.cid}';
    update events set cid = '${old}' where cid = '${channel.cid}'`;
  await db.query(rename);
  await db.end();

  expect((await direct('dee', ['cy'])).channel.cid).toBe(old);
  const path = pathOf(old);
  const add = (user: string) => ({ path, body: { add_members: [user] } });
  expect((await (await chat.as('cy')).refused('POST /channels/{type}/{id}', add('ana'))).code).toBe(17);
  await (await chat.as('dee')).call('POST /channels/{type}/{id}', {
    path,
    body: { remove_members: ['dee'] },
  });
  await (await chat.as('cy')).call('POST /channels/{type}/{id}', add('dee'));
});

test('M1 a user who left a direct conversation of an open type receives no thread of it and counts none', async () => {
  const { channel } = await direct('ana', ['bo'], 'gaming');
  const path = pathOf(channel.cid);
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const say = (who: typeof ana, message: { text: string; parent_id?: string }) =>
    who.call('POST /channels/{type}/{id}/message', { path, body: { message } });
  const { message: root } = await say(ana, { text: 'root' });
  await say(bo, { text: 'a reply', parent_id: root.id });
  const { client } = await chat.connect('bo');
  const received: string[] = [];
  client.on('notification.thread_message_new', ({ message }) => void received.push(message.text ?? ''));
  await bo.call('POST /channels/{type}/{id}', { path, body: { remove_members: ['bo'] } });

  await say(ana, { text: 'among ourselves', parent_id: root.id });
  // A later event on the same connection: what came before it has come.
  const later = new Promise<void>((resolve) => {
    client.on('notification.added_to_channel', () => resolve());
  });
  await chat.admin.channels.create('messaging', 'later', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await later;

  expect(received).toEqual([]);
  const { threads, total_unread_threads_count } = await bo.call('GET /unread', {});
  expect(threads).toEqual([]);
  expect(total_unread_threads_count).toBe(0);
});

test('M7 in a direct conversation of an open type nobody from outside is mentioned', async () => {
  const { channel } = await direct('ana', ['dee'], 'gaming');
  const ana = await chat.as('ana');
  const mention = (id: string) => ({
    path: pathOf(channel.cid),
    body: { message: { text: 'hey', mentioned_users: [id] } },
  });

  const refusal = await ana.refused('POST /channels/{type}/{id}/message', mention('cy'));

  expect(refusal).toMatchObject({ code: 4, details: [{ path: 'message.mentioned_users.0' }] });
  await ana.call('POST /channels/{type}/{id}/message', mention('dee'));
});

/** A person with a list of their own, and the types of the events that they get. */
const watching = async (id: string) => {
  const { client } = await chat.connect(id);
  const received: { type: string; cid?: string | undefined }[] = [];
  client.on('all', (event) => void received.push(event));
  const list = client.channels.list({ filter: { joined: true } });
  await until(() => list.get().status === 'ready', 'the list');
  return { client, received, list };
};
const newPeople = async (...ids: string[]) => {
  await chat.admin.users.upsert(ids.map((id) => ({ id, name: id.toUpperCase() })));
};

test('M2 a direct conversation that is opened without writing shows nothing to the other, until the first message', async () => {
  await newPeople('eve', 'fay');
  const fay = await watching('fay');
  const eve = await chat.connect('eve');

  const cid = await eve.client.channels.direct(['fay']);
  await chat.admin.channels.create('messaging', 'after', { created_by_id: 'ana', members: ['ana', 'fay'] });
  // A later event on the same connection: what came before it has come.
  await until(() => fay.list.get().cids.includes('messaging:after'), 'a later channel');

  expect(fay.received.filter((event) => event.cid === cid)).toEqual([]);
  expect(fay.list.get().cids).not.toContain(cid);
  const asFay = await chat.as('fay');
  for (const filter of [{ joined: true }, { hidden: true }, { archived: false }, { cid }])
    expect(
      (await asFay.call('POST /channels', { body: { filter } })).channels.map(({ channel }) => channel.cid),
    ).not.toContain(cid);
  expect((await asFay.call('GET /unread', {})).channels).toEqual([]);
  const own = await (await chat.as('eve')).call('POST /channels', { body: { filter: { joined: true } } });
  expect(own.channels.map(({ channel }) => channel.cid)).toEqual([cid]);

  await eve.client.messages.send(cid, { text: 'hello' });
  await until(() => fay.list.get().cids[0] === cid, 'the conversation in the list');
  expect(fay.client.channels.state(cid).get()).toMatchObject({ unread: 1, channel: { hidden: false } });
  fay.list.stop();
});

test('M2 the other who opens the same conversation sees it, and one that was hidden comes back', async () => {
  await newPeople('gus', 'hal');
  const { channel } = await direct('gus', ['hal']);
  const listed = async (user: string) =>
    (await (await chat.as(user)).call('POST /channels', { body: { filter: { joined: true } } })).channels
      .length;
  expect(await listed('hal')).toBe(0);

  expect((await direct('hal', ['gus'])).channel).toMatchObject({ cid: channel.cid, hidden: false });
  expect(await listed('hal')).toBe(1);

  await (await chat.as('gus')).call('POST /channels/{type}/{id}/hide', {
    path: pathOf(channel.cid),
    body: {},
  });
  expect(await listed('gus')).toBe(0);
  expect((await direct('gus', ['hal'])).channel.hidden).toBe(false);
  expect(await listed('gus')).toBe(1);
});

test('M2 a silent first message shows the conversation, too', async () => {
  await newPeople('kit', 'lou');
  const { channel } = await direct('kit', ['lou']);
  const lou = await watching('lou');
  const path = pathOf(channel.cid);

  await (await chat.as('kit')).call('POST /channels/{type}/{id}/message', {
    path,
    body: { message: { text: 'shh', silent: true } },
  });
  await until(() => lou.list.get().cids.includes(channel.cid), 'the conversation in the list');
  await (await chat.as('kit')).call('DELETE /channels/{type}/{id}', { path });

  await until(() => lou.received.some(({ type }) => type === 'notification.channel_deleted'), 'the deletion');
  lou.list.stop();
});

test('M2 a conversation with silent messages alone stays begun when it is truncated; one without any does not begin', async () => {
  await newPeople('oda', 'pip', 'quin');
  const admin = await chat.as();
  const oda = await chat.as('oda');
  const [begun, unbegun] = [await direct('oda', ['pip']), await direct('oda', ['quin'])];
  await oda.call('POST /channels/{type}/{id}/message', {
    path: pathOf(begun.channel.cid),
    body: { message: { text: 'shh', silent: true } },
  });
  for (const { channel } of [begun, unbegun])
    await admin.call('POST /channels/{type}/{id}/truncate', { path: pathOf(channel.cid), body: {} });

  const listedBy = async (user: string) =>
    (await (await chat.as(user)).call('POST /channels', { body: { filter: { joined: true } } })).channels.map(
      ({ channel }) => channel.cid,
    );
  expect(await listedBy('pip')).toEqual([begun.channel.cid]);
  expect(await listedBy('quin')).toEqual([]);
});

test('M2 an empty conversation that one has seen and hidden is among the hidden ones', async () => {
  await newPeople('mo', 'nia');
  const { channel } = await direct('mo', ['nia']);
  await direct('nia', ['mo']);
  const nia = await chat.as('nia');
  await nia.call('POST /channels/{type}/{id}/hide', { path: pathOf(channel.cid), body: {} });

  const { channels } = await nia.call('POST /channels', { body: { filter: { hidden: true } } });

  expect(channels.map((one) => one.channel.cid)).toEqual([channel.cid]);
});

test('M2 a conversation that the server makes is seen at once by all of its people', async () => {
  await newPeople('ida', 'joe');
  const joe = await watching('joe');
  const body = { data: { members: ['ida', 'joe'], created_by_id: 'ida' } };
  const { channel } = await (await chat.as()).call('POST /channels/{type}/query', {
    path: { type: 'messaging' },
    body,
  });

  await until(() => joe.list.get().cids.includes(channel.cid), 'the conversation in the list');
  joe.list.stop();
});

test('M2 a direct conversation is called after its people, also after one has left and taken another name', async () => {
  await newPeople('kay', 'lou');
  const kay = await chat.connect('kay');
  const cid = await kay.client.channels.direct(['lou']);
  const title = () => {
    const state = kay.client.channels.state(cid).get();
    return state && selectChannelTitle(state);
  };
  await (await chat.as('lou')).call('POST /channels/{type}/{id}', {
    path: pathOf(cid),
    body: { remove_members: ['lou'] },
  });
  await until(() => kay.client.channels.state(cid).get()?.members.length === 1, 'the one who is left');

  expect(title()).toBe('LOU');
  const other = await direct('kay', ['ana']);
  expect(other.channel.direct_members?.map(({ id }) => id)).toEqual(['ana', 'kay']);
  const { channel } = await (await chat.as('kay')).call('POST /channels/{type}/{id}/query', {
    path: { type: 'messaging', id: 'no-direct' },
    body: {},
  });
  expect(channel.direct_members).toBeUndefined();
});

test('M2 nothing that happens to a direct conversation before its first message reaches the other', async () => {
  await newPeople('mia', 'ned');
  const ned = await watching('ned');
  const quiet = pathOf((await direct('mia', ['ned'])).channel.cid);
  const [mia, admin, asNed] = [await chat.as('mia'), await chat.as(), await chat.as('ned')];
  // In this type nobody marks messages read, so its channels count nothing.
  await chat.admin.channelTypes.create({ name: 'unmarked', read_events: false });
  const unmarked = (await direct('mia', ['ned'], 'unmarked')).channel.cid;
  expect((await asNed.call('GET /unread', {})).uncounted).toEqual([]);

  await admin.call('POST /channels/{type}/{id}/truncate', { path: quiet, body: {} });
  await mia.call('DELETE /channels/{type}/{id}', { path: quiet });
  const spoken = (await direct('mia', ['ned'])).channel.cid;
  await mia.call('POST /channels/{type}/{id}/message', {
    path: pathOf(spoken),
    body: { message: { text: 'hello' } },
  });
  await mia.call('DELETE /channels/{type}/{id}', { path: pathOf(spoken) });

  const gone = (event: { type: string; cid?: string | undefined }) =>
    event.type === 'notification.channel_deleted' && event.cid === spoken;
  await until(() => ned.received.some(gone), 'the end of the conversation that began');
  const silent = [`${quiet.type}:${quiet.id}`, unmarked];
  expect(ned.received.filter(({ cid = '' }) => silent.includes(cid))).toEqual([]);
  ned.list.stop();
});

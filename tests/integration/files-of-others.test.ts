import { startServer } from '@parley/server';
import { createTestChat, createTestClock, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { load, signed, type Uploader, uploaderOf } from './upload-support.ts';

const clock = createTestClock();
let chat: TestChat;
/** Ana and Bo share a room; Tom shares nothing with either and has a room of his own. */
let ana: Uploader;
let bo: Uploader;
let tom: Uploader;
let server: Awaited<ReturnType<TestChat['as']>>;

const makeRoom = (uploader: Uploader, id: string, members: string[]) =>
  uploader.caller.call('POST /channels/{type}/{id}/query', {
    path: { type: 'team', id },
    body: { data: { members } },
  });

beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'tom'], overrides: { clock } });
  [ana, bo, tom] = await Promise.all([
    uploaderOf(chat, 'ana'),
    uploaderOf(chat, 'bo'),
    uploaderOf(chat, 'tom'),
  ]);
  server = await chat.as();
  await makeRoom(ana, 'room', ['ana', 'bo']);
  await makeRoom(tom, 'lair', ['tom']);
});
afterAll(() => chat.stop());

const upload = async (uploader: Uploader, text = 'secret', path = '/uploads/file'): Promise<string> =>
  (await uploader.upload(path, text, 'a.txt')).body.file;
const carry = (url: string) => ({ text: 'see', attachments: [{ type: 'file', asset_url: url }] });
const at = (id: string) => ({ type: 'team', id });
const send = async (uploader: Uploader, url: string, id = 'room'): Promise<string> =>
  (
    await uploader.caller.call('POST /channels/{type}/{id}/message', {
      path: at(id),
      body: { message: carry(url) },
    })
  ).message.id;
const refuseSend = async (uploader: Uploader, url: string, id: string) => {
  const error = await uploader.caller.refused('POST /channels/{type}/{id}/message', {
    path: at(id),
    body: { message: carry(url) },
  });
  return [error.code, error.details?.[0]?.path];
};
const deleteForGood = (uploader: Uploader, id: string) =>
  uploader.caller.call('DELETE /messages/{id}', { path: { id }, query: { hard: 'true' } });
const setOwn = (uploader: Uploader, id: string, set: Record<string, unknown>) =>
  uploader.caller.call('PATCH /users', { body: { users: [{ id, set }] } });

/** The status for a person who asks for the file with their token; without a person, for the bare URL. */
const statusFor = async (url: string, uploader?: Uploader): Promise<number> =>
  (
    await load(
      chat,
      url,
      uploader ? { 'x-api-key': chat.apiKey, authorization: uploader.token ?? '' } : undefined,
    )
  ).status;
const rowOf = async (url: string) =>
  (
    await chat.server.kernel.pools.pool.query<{ linked: boolean; unlinked_at: string | null }>(
      'select linked, unlinked_at from files where id = $1',
      [url.split('/')[2]],
    )
  ).rows[0];
/** Lets the collector run until the file is gone from the database. */
const expectCollected = (url: string) =>
  vi.waitFor(async () => {
    clock.advance(5000);
    expect(await rowOf(url)).toBeUndefined();
  });
/** Lets the collector take a file that falls due now: when it has, whatever fell due before was judged too. */
const collectOnce = async () => {
  const url = await upload(ana);
  await deleteForGood(ana, await send(ana, url));
  await expectCollected(url);
};

test('A3 a stranger who names the file of a deleted message in their profile, a channel, a draft, a pending or a scheduled message keeps it from nothing', async () => {
  const url = await upload(ana);
  const message = await send(ana, url);
  await setOwn(tom, 'tom', { note: url, image: url });
  await tom.caller.call('PATCH /channels/{type}/{id}', {
    path: at('lair'),
    body: { set: { note: url, image: url } },
  });
  await tom.caller.call('POST /channels/{type}/{id}/draft', {
    path: at('lair'),
    body: { message: carry(url) },
  });
  // Bo reads the file, so his forward may be held back and scheduled; it is his, not the uploader's.
  await makeRoom(bo, 'own', ['bo']);
  await bo.caller.call('POST /channels/{type}/{id}/message', {
    path: at('own'),
    body: { message: carry(url), pending: true },
  });
  await bo.caller.call('POST /channels/{type}/{id}/scheduled_messages', {
    path: at('own'),
    body: { message: carry(url), send_at: new Date(clock.now() + 86_400_000).toISOString() },
  });
  expect(await statusFor(url, tom)).toBe(403);

  await deleteForGood(ana, message);
  const atOnce = [await statusFor(url, tom), await statusFor(url, bo), await statusFor(url)];
  await expectCollected(url);

  expect(atOnce).toEqual([403, 403, 403]);
  expect([await statusFor(url, tom), await statusFor(url)]).toEqual([404, 404]);
});

test('A3 nobody but its uploader attaches the file of a message that was deleted for good, and a refused try does not keep it', async () => {
  const loose = await upload(ana);
  const ofRoom = await upload(ana, 'secret', '/channels/team/room/file');
  for (const url of [loose, ofRoom]) await deleteForGood(ana, await send(ana, url));

  for (const url of [loose, ofRoom]) {
    expect(await refuseSend(tom, url, 'lair')).toEqual([17, 'message.attachments.0.asset_url']);
    expect((await rowOf(url))?.unlinked_at).not.toBeNull();
    expect([await statusFor(url, tom), await statusFor(url, bo), await statusFor(url)]).toEqual([
      403, 403, 403,
    ]);
  }

  for (const url of [loose, ofRoom]) await expectCollected(url);
});

test('A3 the uploader may attach it again, or keep it by a draft of their own; it stays closed to all others', async () => {
  const [again, drafted] = [await upload(ana), await upload(ana)];
  for (const url of [again, drafted]) await deleteForGood(ana, await send(ana, url));
  await send(ana, again);
  await ana.caller.call('POST /channels/{type}/{id}/draft', {
    path: at('room'),
    body: { message: carry(drafted) },
  });

  await collectOnce();

  expect([await statusFor(again, bo), await statusFor(again, tom), await statusFor(again)]).toEqual([
    200, 403, 403,
  ]);
  expect([await statusFor(drafted, ana), await statusFor(drafted, bo), await statusFor(drafted)]).toEqual([
    200, 403, 403,
  ]);
});

test("A1 a user who attaches another's public file neither hides it nor removes it", async () => {
  const [picture, loose] = [await upload(bo), await upload(bo)];
  await setOwn(bo, 'bo', { image: picture });
  const messages = [await send(tom, picture, 'lair'), await send(tom, loose, 'lair')];

  const meanwhile = [await statusFor(picture), await statusFor(picture, ana), await statusFor(loose)];
  for (const id of messages) await deleteForGood(tom, id);
  await collectOnce();

  expect(meanwhile).toEqual([200, 200, 200]);
  expect([await statusFor(picture), await statusFor(loose), await statusFor(loose, bo)]).toEqual([
    200, 200, 200,
  ]);
  // Its uploader's own message ends that, also while another's carries it.
  await send(tom, loose, 'lair');
  await send(bo, loose);
  expect([await statusFor(loose), await statusFor(loose, ana), await statusFor(loose, tom)]).toEqual([
    403, 200, 200,
  ]);
});

test('A1 a file that its uploader edits into the message of another is private from then on', async () => {
  const url = await upload(ana);
  const { message } = await bo.caller.call('POST /channels/{type}/{id}/message', {
    path: at('room'),
    body: { message: { text: 'of bo' } },
  });

  await server.call('PUT /messages/{id}', {
    path: { id: message.id },
    body: { message: { ...carry(url), user_id: 'ana' } },
  });

  expect([await statusFor(url), await statusFor(url, tom), await statusFor(url, bo)]).toEqual([
    403, 403, 200,
  ]);
});

test('A1 a person may forward a file that they can read; it lasts as long as one message carries it, and a quote shows it', async () => {
  const url = await upload(ana);
  const first = await send(ana, url);
  await makeRoom(bo, 'forward', ['bo', 'tom']);

  const forward = await send(bo, url, 'forward');
  const { message: quote } = await bo.caller.call('POST /channels/{type}/{id}/message', {
    path: at('room'),
    body: { message: { text: 'this one', quoted_message_id: first } },
  });
  expect(quote.quoted_message?.attachments[0]).toMatchObject({ asset_url: url });
  expect(await signed(tom, url)).toBeDefined();

  await deleteForGood(ana, first);
  await collectOnce();
  expect([await statusFor(url, tom), await statusFor(url)]).toEqual([200, 403]);
  await deleteForGood(bo, forward);
  await expectCollected(url);
});

test('A1 a message of the server may show the picture of a person, which stays for all, and can be forwarded', async () => {
  const picture = await upload(bo);
  await setOwn(bo, 'bo', { image: picture });

  await server.call('POST /channels/{type}/{id}/message', {
    path: at('lair'),
    body: { message: { ...carry(picture), user_id: 'tom' } },
  });
  await makeRoom(tom, 'second', ['tom']);
  await send(tom, picture, 'second');

  expect([await statusFor(picture), await statusFor(picture, ana)]).toEqual([200, 200]);
});

test('A3 a picture that the record of another person or of a channel shows stays, whoever uploaded it', async () => {
  const [face, logo, orphan] = [await upload(ana), await upload(ana), await upload(ana)];
  await server.call('PATCH /users', { body: { users: [{ id: 'tom', set: { image: face } }] } });
  await tom.caller.call('PATCH /channels/{type}/{id}', { path: at('lair'), body: { set: { image: logo } } });

  await vi.waitFor(async () => {
    clock.advance(6 * 3_600_000);
    expect(await rowOf(orphan)).toBeUndefined();
  });

  expect([await statusFor(face), await statusFor(logo)]).toEqual([200, 200]);
});

test('A3 a file that a pending or a scheduled message of its uploader names stays', async () => {
  const [held, scheduled] = [await upload(ana), await upload(ana)];
  await ana.caller.call('POST /channels/{type}/{id}/message', {
    path: at('room'),
    body: { message: carry(held), pending: true },
  });
  await ana.caller.call('POST /channels/{type}/{id}/scheduled_messages', {
    path: at('room'),
    body: { message: carry(scheduled), send_at: new Date(clock.now() + 90 * 86_400_000).toISOString() },
  });
  const orphan = await upload(ana);

  await vi.waitFor(async () => {
    clock.advance(6 * 3_600_000);
    expect(await rowOf(orphan)).toBeUndefined();
  });
  await collectOnce();

  expect([await statusFor(held, ana), await statusFor(scheduled, ana)]).toEqual([200, 200]);
});

test('A3 a file that moves from a scheduled message to a draft while the collector looks for it stays', async () => {
  const url = await upload(ana);
  const { scheduled_message } = await ana.caller.call('POST /channels/{type}/{id}/scheduled_messages', {
    path: at('room'),
    body: { message: carry(url), send_at: new Date(clock.now() + 90 * 86_400_000).toISOString() },
  });
  const { pool } = chat.server.kernel.pools;
  const locker = await pool.connect();
  // The collector asks the drafts before the scheduled messages: it waits here between the two.
  await locker.query('begin');
  await locker.query('lock table scheduled_messages in access exclusive mode');
  const orphan = await upload(ana);
  try {
    // All files that are due by then are claimed at once.
    clock.advance(25 * 3_600_000);
    await vi.waitFor(async () => {
      clock.advance(5000);
      const { rows } = await pool.query(
        `select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%named_files%'`,
      );
      expect(rows).not.toHaveLength(0);
    });
    await ana.caller.call('POST /channels/{type}/{id}/draft', {
      path: at('room'),
      body: { message: carry(url) },
    });
    await locker.query('delete from scheduled_messages where id = $1', [scheduled_message.id]);
  } finally {
    await locker.query('commit');
    locker.release();
  }

  await vi.waitFor(async () => {
    clock.advance(5000);
    expect(await rowOf(orphan)).toBeUndefined();
  });

  expect(await statusFor(url, ana)).toBe(200);
});

test('A3 the users of a file are found by an index in every table, however many people and channels there are', async () => {
  const { pool } = chat.server.kernel.pools;
  const profile = "coalesce(image, '') || data::text";
  const places = {
    users: profile,
    channels: profile,
    drafts: 'attachments::text || data::text',
    pending_messages: 'input::text',
    scheduled_messages: 'input::text',
  };
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local enable_seqscan = off');
    for (const [table, text] of Object.entries(places)) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`
        explain select from ${table}
        where ${text} like '%/files/%' and named_files(${text}) && array['${'a'.repeat(24)}']`);
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`${table}_named_files`);
    }
  } finally {
    await client.query('rollback');
    client.release();
  }
});

test('A3 an upgrade leaves the files of messages to their readers, and gives back a picture that another had hidden', async () => {
  const [sent, hidden, picture] = [await upload(bo), await upload(bo), await upload(bo)];
  await setOwn(bo, 'bo', { image: picture });
  await send(bo, sent);
  for (const url of [hidden, picture]) await send(tom, url, 'lair');
  const { pool } = chat.server.kernel.pools;
  await pool.query('update files set was_attached = false where id = any($1)', [
    [sent, hidden, picture].map((url) => url.split('/')[2]),
  ]);
  await pool.query("delete from migrations where name = '034b-attached-files-before'");

  const upgraded = await startServer({ ...chat.server.kernel.config, port: 0 }, { clock });
  await upgraded.stop();

  expect([await statusFor(sent), await statusFor(hidden), await statusFor(picture)]).toEqual([403, 403, 200]);
  expect([await statusFor(sent, ana), await statusFor(hidden, tom)]).toEqual([200, 200]);
});

import { request } from 'node:http';
import type { ErrorBody } from '@parley/protocol';
import { createCaller, createTestChat, signToken, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
const path = { type: 'messaging', id: 'room' };
let messageId: string;
let pollId: string;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  messageId = (await chat.admin.messages.send('messaging:room', 'ana', { text: 'hello' })).id;
  pollId = (await chat.admin.polls.create({ name: 'Lunch?', options: [{ text: 'Soup' }] }, 'ana')).id;
});
afterAll(() => chat.stop());

/** Sends a path as it is written: `fetch` and browsers fold dots out of it first. */
const rawPath = async (method: string, url: string, body: unknown) => {
  const headers = {
    'x-api-key': chat.apiKey,
    authorization: await chat.token('ana'),
    'content-type': 'application/json',
  };
  return new Promise<{ status: number; body: ErrorBody }>((resolve, reject) => {
    const { hostname, port } = new URL(chat.url);
    const asked = request({ hostname, port, method, path: `/api${url}`, headers }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) });
    });
    asked.once('error', reject);
    asked.end(JSON.stringify(body));
  });
};

const later = () => new Date(Date.now() + 3_600_000).toISOString();
const location = (id: string) => ({ latitude: 1, longitude: 1, created_by_device_id: id });

test.each(['.', '..'])(
  'M4 the id %j is refused by the name of its field wherever one is chosen',
  async (id) => {
    const [ana, server] = [await chat.as('ana'), await chat.as()];
    const refusals = {
      [`users.${id}.id`]: server.refused('POST /users', { body: { users: { [id]: { id } } } }),
      'user.id': ana.refused('POST /guest', { body: { user: { id } } }),
      'message.id': ana.refused('POST /channels/{type}/{id}/message', {
        path,
        body: { message: { id, text: 'dots' } },
      }),
      'message.shared_location.created_by_device_id': ana.refused('POST /channels/{type}/{id}/message', {
        path,
        body: { message: { shared_location: location(id) } },
      }),
      'reaction.type': ana.refused('POST /messages/{id}/reaction', {
        path: { id: messageId },
        body: { reaction: { type: id } },
      }),
      id: ana.refused('POST /polls', { body: { id, name: 'Dinner?' } }),
      'options.0.id': ana.refused('POST /polls', {
        body: { name: 'Dinner?', options: [{ id, text: 'Rice' }] },
      }),
    };

    for (const [field, refusal] of Object.entries(refusals)) {
      const error = await refusal;
      expect(error).toMatchObject({ name: 'InputInvalid', details: [{ path: field }] });
      expect(error.message).toContain(`${field}: must be`);
      expect(error.message).toContain('other than "." and ".."');
    }
  },
);

test.each(['.', '..'])(
  'M4 the id %j is refused for a scheduled message, an option and an upload',
  async (id) => {
    const ana = await chat.as('ana');
    const body = { message: { id, text: 'later' }, send_at: later() };

    const scheduled = await ana.refused('POST /channels/{type}/{id}/scheduled_messages', { path, body });
    const option = await ana.refused('POST /polls/{id}/options', {
      path: { id: pollId },
      body: { id, text: 'Rice' },
    });
    const upload = await ana.refused('POST /uploads/file', { query: { upload_id: id } });

    expect([scheduled, option, upload].map(({ message }) => message)).toEqual([
      expect.stringMatching(/^message\.id: must be .* other than/),
      expect.stringMatching(/^id: must be .* other than/),
      expect.stringMatching(/^upload_id: must be .* other than/),
    ]);
  },
);

test.each(['.', '..'])('M1 no channel gets the id %j, also from a caller who folds no path', async (id) => {
  const { status, body } = await rawPath('POST', `/channels/messaging/${id}/query`, {});

  expect([status, body.message]).toEqual([400, expect.stringMatching(/^id: must be .* other than/)]);
});

test('M1 a colon in the id of a channel is refused in its fixed words', async () => {
  const { body } = await rawPath('POST', '/channels/messaging/a%3Ab/query', {});

  expect(body.message).toBe('Invalid channel id; it cannot contain a colon');
});

test.each(['.', '..'])('C1 nobody connects as %j', async (id) => {
  const claims = { user_id: id, iat: Math.floor(Date.now() / 1000) };
  const signed = await createCaller({ ...chat, token: async () => signToken(chat.secret, claims) });
  expect(await signed.refused('GET /unread')).toMatchObject({
    name: 'AuthenticationFailed',
    message: expect.stringContaining('its user_id must be'),
  });
  const response = await fetch(`${chat.baseUrl}/longpoll`, {
    method: 'POST',
    headers: {
      'x-api-key': chat.apiKey,
      authorization: await chat.token('ana'),
      'content-type': 'application/json',
    },
    body: JSON.stringify({ payload: { user_id: id } }),
  });

  expect([response.status, ((await response.json()) as ErrorBody).message]).toEqual([
    400,
    expect.stringMatching(/^payload\.user_id: must be .* other than/),
  ]);
});

/** Writes ids that an older version may have stored: every id `from` of the database becomes `to`. */
const renameStored = async (from: string, to: string): Promise<void> => {
  const { pool } = chat.server.kernel.pools;
  const { rows } = await pool.query<{ t: string; c: string; kind: string }>(
    `select c.table_name t, c.column_name c, c.data_type kind
     from information_schema.columns c join information_schema.tables using (table_schema, table_name)
     where c.table_schema = 'public' and table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb') and is_generated = 'NEVER'`,
  );
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('set local session_replication_role = replica');
    for (const { t, c, kind } of rows) {
      const whole = `(^|[":])${from}($|")`;
      const value = `regexp_replace("${c}"::text, '${whole}', '\\1${to}\\2', 'g')::${kind}`;
      await client.query(`update "${t}" set "${c}" = ${value} where "${c}"::text ~ '${whole}'`);
    }
    await client.query('commit');
  } finally {
    client.release();
  }
};

test('M4 records that an older version stored under "." and ".." stay readable in lists', async () => {
  await chat.admin.users.upsert([{ id: 'old-user', name: 'Dots' }]);
  await chat.admin.channels.create('messaging', 'old-room', {
    created_by_id: 'old-user',
    members: ['ana', 'old-user'],
  });
  await chat.admin.messages.send('messaging:old-room', 'old-user', { id: 'old-message', text: 'dotid' });
  const setUp = await chat.as('ana');
  await setUp.call('POST /messages/{id}/reaction', {
    path: { id: 'old-message' },
    body: { reaction: { type: 'old-kind' } },
  });
  // A search waits until the message is indexed: an indexer under way would store its words under the old id.
  await setUp.call('POST /search', { body: { query: 'dotid' } });
  for (const name of ['user', 'room', 'message', 'kind']) await renameStored(`old-${name}`, '..');
  const ana = await chat.as('ana');

  const { channels } = await ana.call('POST /channels', {
    body: { filter: { cid: 'messaging:..' }, state: true },
  });
  const { users } = await ana.call('POST /users/query', { body: { filter: { id: '..' } } });
  const { results } = await ana.call('POST /search', { body: { query: 'dotid' } });
  const { events } = await ana.call('POST /sync', { body: { cursors: { 'messaging:..': 0 } } });

  expect(channels[0]).toMatchObject({
    channel: { cid: 'messaging:..', created_by: { id: '..' } },
    messages: [{ id: '..', user: { id: '..', name: 'Dots' }, reaction_counts: { '..': 1 } }],
  });
  expect(users.map(({ id }) => id)).toEqual(['..']);
  expect(results.map(({ message }) => message.id)).toEqual(['..']);
  expect(events.length).toBeGreaterThan(0);

  // A list of cids is no path: this is how the server gets rid of such a channel.
  const id = await chat.admin.channels.deleteMany(['messaging:..'], { hard: true });
  expect((await chat.admin.tasks.wait(id, { everyMs: 20 })).result).toEqual({
    channels: { 'messaging:..': 'deleted' },
  });
});

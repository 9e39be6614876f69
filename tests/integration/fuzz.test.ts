import { type CallKey, callMethod, callPath, calls } from '@parley/protocol';
import { createTestChat, signToken, type TestChat } from '@parley/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

let chat: TestChat;
const tokens: string[] = [];
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.channels.create('messaging', 'room', { created_by_id: 'ana', members: ['ana', 'bo'] });
  await chat.admin.messages.send('messaging:room', 'ana', { id: 'known', text: 'known' });
  tokens.push(await chat.token('ana'), signToken(chat.secret, { server: true }));
});
afterAll(() => chat.stop());

// Suspending the app or revoking all tokens would end the talk; a poll without events waits 25 s.
const left = new Set<string>(['PATCH /app', 'POST /longpoll', 'DELETE /longpoll']);
const keys = (Object.keys(calls) as CallKey[]).filter((key) => !left.has(key));

const id = fc.constantFrom(
  'ana',
  'bo',
  'nobody',
  'known',
  'room',
  'messaging',
  'messaging:room',
  '',
  'a:b',
  '\u0000',
);
const word = fc.constantFrom(
  ...['id', 'name', 'text', 'type', 'user_id', 'user', 'users', 'message', 'data', 'members', 'set', 'unset'],
  ...[
    'filter',
    'sort',
    'limit',
    'next',
    '$and',
    '$or',
    '$in',
    '$gt',
    '$exists',
    'cid',
    'created_at',
    'watch',
  ],
  ...['messages', 'reaction', 'event', 'cursors', 'add_members', 'permissions', 'attachments', 'constructor'],
  ...[
    'created_at_around',
    'id_around',
    'show_in_channel',
    'parent_id',
    'frozen',
    'cooldown',
    'role',
    'custom',
  ],
);
const scalar = fc.oneof(
  id,
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constantFrom(null, 1e308, -0, 2 ** 53, '\ud800', '9999-12-31T23:59:59.999Z', 'messaging:room', [], {}),
);
const anything = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, word, word, fc.string({ maxLength: 8 })), tie('value'), { maxKeys: 5 }),
  ),
})).value;

/** A body that looks like the call's own, with wild values in some places. */
const bodyOf = (key: CallKey): fc.Arbitrary<unknown> => {
  const spec = calls[key] as { body?: { properties: Record<string, unknown> } };
  const known = Object.keys(spec.body?.properties ?? {});
  if (known.length === 0) return anything;
  const shaped = fc.record(Object.fromEntries(known.map((name) => [name, anything])), { requiredKeys: [] });
  return fc.oneof({ weight: 3, arbitrary: shaped }, { weight: 1, arbitrary: anything });
};

const ask = async (key: CallKey, body: unknown, token: string, names: string[]) => {
  const values = [...names];
  const method = callMethod(key);
  const path = callPath(key).replace(/\{\w+\}/g, () => encodeURIComponent(values.shift() || 'x'));
  const sendsBody = !['GET', 'DELETE'].includes(method);
  const response = await fetch(`${chat.baseUrl}${path}`, {
    method,
    headers: {
      'x-api-key': chat.apiKey,
      authorization: token,
      ...(sendsBody ? { 'content-type': 'application/json' } : {}),
    },
    ...(sendsBody ? { body: JSON.stringify(body) ?? '{}' } : {}),
  });
  return { status: response.status, text: await response.text() };
};

test.each(keys)('protocol 3 %s answers whatever is sent, never with a fault', async (key) => {
  await fc.assert(
    fc.asyncProperty(
      bodyOf(key),
      fc.constantFrom(0, 1),
      fc.array(id, { minLength: 2, maxLength: 2 }),
      async (body, who, names) => {
        const { status, text } = await ask(key, body, tokens[who] ?? '', names);
        expect(status, text).toBeLessThan(500);
        expect(() => JSON.parse(text)).not.toThrow();
      },
    ),
    { numRuns: 12, seed: 20_260_131, endOnFailure: true },
  );
});

test('protocol 3 random filters never give a fault', async () => {
  const field = fc.constantFrom(
    'id',
    'cid',
    'name',
    'type',
    'members',
    'frozen',
    'created_at',
    'member_count',
    'joined',
    'has_unread',
    'invite',
    'custom',
    'last_message_at',
  );
  const operator = fc.constantFrom(
    '$eq',
    '$ne',
    '$gt',
    '$gte',
    '$lt',
    '$lte',
    '$in',
    '$nin',
    '$exists',
    '$contains',
    '$autocomplete',
    '$q',
  );
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 3 }),
    fc.constantFrom(1.5, 'x', true, '2026-01-31T12:00:00Z'),
  );
  const leaf = fc.tuple(field, operator, value).map(([name, op, wanted]) => ({ [name]: { [op]: wanted } }));
  const filter = fc.oneof(
    leaf,
    fc.array(leaf, { maxLength: 3 }).map((list) => ({ $or: list })),
  );

  await fc.assert(
    fc.asyncProperty(filter, async (wanted) => {
      const { status, text } = await ask('POST /channels', { filter: wanted }, tokens[0] ?? '', []);
      expect(status, text).toBeLessThan(500);
    }),
    { numRuns: 200, seed: 20_260_131, endOnFailure: true },
  );
});

test('protocol 3 after all that the server still serves', async () => {
  await chat.admin.users.upsert([{ id: 'cy' }]);
  await chat.admin.channels.create('team', 'after', { created_by_id: 'cy', members: ['cy'] });
  const { client } = await chat.connect('cy');
  const cid = await client.channels.open('team', 'after');
  expect((await client.messages.send(cid, { text: 'fine' })).text).toBe('fine');
});

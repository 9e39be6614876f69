import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const people = Array.from({ length: 23 }, (_, index) => `p${String(index).padStart(2, '0')}`);
let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo'] });
  await chat.admin.users.upsert(
    people.map((id, index) => ({ id, name: `Person ${index % 3}`, level: index })),
  );
  await chat.admin.channels.create('messaging', 'big', { created_by_id: 'ana', members: ['ana', ...people] });
  for (let index = 0; index < 23; index++) {
    const id = `c${String(index).padStart(2, '0')}`;
    const custom = { topic: index % 2 ? 'odd' : 'even', rank: index, tags: ['all', `tag-${index % 4}`] };
    await chat.admin.channels.create('messaging', id, {
      created_by_id: 'ana',
      members: index % 2 ? ['ana'] : ['ana', 'bo'],
      name: `Channel ${index % 3}`,
      ...custom,
    });
  }
});
afterAll(() => chat.stop());

type Page = { items: string[]; next?: string | undefined };
/** Walks all pages; `between` runs after the first. */
const walk = async (page: (next?: string) => Promise<Page>, between?: () => Promise<unknown>) => {
  const pages: string[][] = [];
  let next: string | undefined;
  do {
    const found: Page = await page(next);
    pages.push(found.items);
    next = found.next;
    if (pages.length === 1) await between?.();
  } while (next !== undefined && pages.length < 50);
  return pages;
};

const channels = async (user: string | undefined, body: object): Promise<Page> => {
  const raw = await chat.as(user);
  const reply = await raw.call('POST /channels', { body: { message_limit: 0, member_limit: 0, ...body } });
  return { items: reply.channels.map(({ channel }) => channel.id), next: reply.next };
};
const users = async (body: object): Promise<Page> => {
  const raw = await chat.as('ana');
  const reply = await raw.call('POST /users/query', { body });
  return { items: reply.users.map(({ id }) => id), next: reply.next };
};
const after = (next?: string) => (next === undefined ? {} : { next });
const numbered = { id: { $in: Array.from({ length: 23 }, (_, i) => `c${String(i).padStart(2, '0')}`) } };

test('protocol 1 channels come in pages of 10, each once, in order', async () => {
  const sort = [
    { field: 'name', direction: 1 },
    { field: 'created_at', direction: -1 },
  ];

  const pages = await walk((next) => channels('ana', { filter: numbered, sort, ...after(next) }));

  expect(pages.map((page) => page.length)).toEqual([10, 10, 3]);
  expect(new Set(pages.flat()).size).toBe(23);
  expect(pages.flat().slice(0, 8)).toEqual(['c21', 'c18', 'c15', 'c12', 'c09', 'c06', 'c03', 'c00']);
});

test('protocol 1 cursors hold while others write: what does not change is seen exactly once', async () => {
  const sort = [{ field: 'created_at', direction: -1 }];
  const page = (next?: string) => channels('ana', { filter: numbered, sort, limit: 5, ...after(next) });

  const pages = await walk(page, async () => {
    await chat.admin.channels.create('messaging', 'late', { created_by_id: 'ana', members: ['ana'] });
    await chat.admin.messages.send('messaging:c20', 'ana', { text: 'x' });
  });

  expect(pages.flat()).toEqual([...numbered.id.$in].reverse());
});

test('protocol 1 users, members and reactions page the same way', async () => {
  const ana = await chat.as('ana');
  const filter = { id: { $in: people } };
  const found = await walk((next) =>
    users({ filter, sort: [{ field: 'name', direction: -1 }], limit: 7, ...after(next) }),
  );
  const members = await walk(async (next) => {
    const reply = await ana.call('POST /members/query', {
      body: { type: 'messaging', id: 'big', limit: 9, ...after(next) },
    });
    return { items: reply.members.map(({ user_id }) => user_id), next: reply.next };
  });

  expect(found.flat().length).toBe(23);
  expect(new Set(found.flat()).size).toBe(23);
  expect(members.map((page) => page.length)).toEqual([9, 9, 6]);
  expect(members.flat().sort()).toEqual(['ana', ...people]);
});

test.each<[string, object, string[]]>([
  ['a value', { rank: 3 }, ['c03']],
  ['$eq', { rank: { $eq: 3 } }, ['c03']],
  ['$gt and $lte', { rank: { $gt: 19, $lte: 21 } }, ['c20', 'c21']],
  ['$in', { rank: { $in: [1, 2, 99] } }, ['c01', 'c02']],
  [
    '$nin',
    { rank: { $nin: [0] }, name: { $in: ['Channel 0'] } },
    ['c03', 'c06', 'c09', 'c12', 'c15', 'c18', 'c21'],
  ],
  ['$contains', { tags: { $contains: 'tag-3' }, rank: { $lt: 8 } }, ['c03', 'c07']],
  ['$exists', { rank: { $exists: true, $gte: 22 } }, ['c22']],
  ['$or', { $or: [{ rank: 1 }, { rank: 2 }] }, ['c01', 'c02']],
  ['$and', { $and: [{ topic: 'odd' }, { rank: { $lt: 4 } }] }, ['c01', 'c03']],
  ['$nor', { $nor: [{ rank: { $gt: 1 } }], rank: { $exists: true } }, ['c00', 'c01']],
  ['$autocomplete', { name: { $autocomplete: 'chan' }, rank: { $lt: 2 } }, ['c00', 'c01']],
  ['members', { members: { $in: ['bo'] }, rank: { $lt: 3 } }, ['c00', 'c02']],
  ['$ne', { topic: { $ne: 'odd' }, rank: { $lt: 3 } }, ['c00', 'c02']],
])('protocol 1 filter by %s', async (_title, filter, expected) => {
  const { items } = await channels('ana', { filter, sort: [{ field: 'cid', direction: 1 }], limit: 100 });
  expect(items).toEqual(expected);
});

test('protocol 1 a query shows only what the caller may read', async () => {
  const bo = await channels('bo', { filter: numbered, limit: 100 });
  const server = await channels(undefined, { filter: numbered, limit: 100 });

  expect(bo.items).toHaveLength(12);
  expect(server.items).toHaveLength(23);
});

test.each<[string, object, string]>([
  ['an unknown operator', { filter: { name: { $regex: 'x' } } }, '$regex'],
  ['an operator that the field does not have', { filter: { frozen: { $gt: 1 } } }, 'frozen'],
  ['a value of another type', { filter: { created_at: 'yesterday' } }, 'created_at'],
  ['a day that is not', { filter: { created_at: { $gt: '2026-02-30T00:00:00Z' } } }, 'created_at'],
  ['a group that is no list', { filter: { $or: { a: 1 } } }, '$or'],
  ['a field that cannot be sorted by', { sort: [{ field: 'frozen', direction: 1 }] }, 'sort[0].field'],
  ['an odd direction', { sort: [{ field: 'name', direction: 2 }] }, 'direction'],
  ['limit 0', { limit: 0 }, 'limit'],
  ['limit 101', { limit: 101 }, 'limit'],
  ['limit as text', { limit: '5' }, 'limit'],
  ['an unknown key', { filters: {} }, 'filters'],
  ['a cursor from nowhere', { next: 'bm90LWEtY3Vyc29y' }, 'next'],
  ['a text in bad Unicode', { filter: { name: '\ud800' } }, 'name'],
])('protocol 1 %s is refused by name', async (_title, body, named) => {
  const ana = await chat.as('ana');

  const refusal = await ana.refused('POST /channels', { body });

  expect(refusal).toMatchObject({ code: 4, status: 400 });
  expect(JSON.stringify(refusal)).toContain(named);
});

test('protocol 1 a field that users do not declare is refused where there is no custom data', async () => {
  const ana = await chat.as('ana');

  const refusal = await ana.refused('POST /users/query', { body: { filter: { 'a.b': 1 } } });

  expect(refusal).toMatchObject({ code: 4, details: [{ path: expect.stringContaining('a.b') }] });
});

test('protocol 1 filters too deep or too many are too complex', async () => {
  const ana = await chat.as('ana');
  let deep: object = { rank: 1 };
  for (let depth = 0; depth < 8; depth++) deep = { $and: [deep] };
  const many = { $or: Array.from({ length: 51 }, (_, rank) => ({ rank })) };
  let deepest: object = { rank: 1 };
  for (let depth = 0; depth < 100; depth++) deepest = { $and: [deepest] };

  expect(await ana.refused('POST /channels', { body: { filter: deep } })).toMatchObject({
    code: 70,
    status: 400,
  });
  expect(await ana.refused('POST /channels', { body: { filter: many } })).toMatchObject({ code: 70 });
  expect(await ana.refused('POST /channels', { body: { filter: deepest } })).toMatchObject({ status: 400 });
});

test('protocol 1 a cursor is good for its own query alone', async () => {
  const [ana, bo] = [await chat.as('ana'), await chat.as('bo')];
  const { next = '' } = await channels('ana', { limit: 5 });
  const flipped = `${next.slice(0, -1)}${next.endsWith('A') ? 'B' : 'A'}`;

  const refusals = [
    await ana.refused('POST /channels', { body: { next: flipped } }),
    await ana.refused('POST /channels', { body: { next, filter: { topic: 'odd' } } }),
    await ana.refused('POST /channels', { body: { next, sort: [{ field: 'name', direction: 1 }] } }),
    await bo.refused('POST /channels', { body: { next } }),
    await ana.refused('POST /users/query', { body: { next } }),
  ];

  for (const refusal of refusals) expect(refusal).toMatchObject({ code: 4, details: [{ path: 'next' }] });
  await ana.call('POST /channels', { body: { next } });
});

test('protocol 1 GET /users takes the query as payload, and refuses what is none', async () => {
  const ana = await chat.as('ana');
  const payload = JSON.stringify({
    filter: { id: { $in: ['p01', 'p02'] } },
    sort: [{ field: 'id', direction: -1 }],
  });

  const { users: found } = await ana.call('GET /users', { query: { payload } });
  const broken = await ana.refused('GET /users', { query: { payload: '{' } });
  const list = await ana.refused('GET /users', { query: { payload: '[]' } });
  const bad = await ana.refused('GET /users', { query: { payload: '{"limit":1000}' } });
  const nul = await ana.refused('GET /users', { query: { payload: '{"filter":{"name":"\\u0000"}}' } });

  expect(found.map(({ id }) => id)).toEqual(['p02', 'p01']);
  expect([broken, list, bad, nul].map(({ status }) => status)).toEqual([400, 400, 400, 400]);
});

const queryCalls: [string, string][] = [
  ['/users/query', 'naem'],
  ['/channels', 'naem'],
  ['/members/query', 'channel_rloe'],
  ['/search', 'created_ta'],
  ['/threads', 'created_ta'],
  ['/reminders/query', 'remind_ta'],
  ['/drafts/query', 'created_ta'],
  ['/scheduled_messages/query', 'send_ta'],
  ['/polls/query', 'is_clsoed'],
];

test.each(queryCalls)(
  'M13 POST %s refuses a field that it does not know, and names it',
  async (path, field) => {
    const ana = await chat.as('ana');
    const body = {
      filter: { [field]: 'x' },
      ...(path === '/members/query' ? { type: 'messaging', id: 'big' } : {}),
    };
    const reply = await ana.raw('POST', path, { body: JSON.stringify(body) });

    expect(reply).toMatchObject({ status: 400, body: { name: 'InputInvalid' } });
    expect((reply.body as { details: { path: string }[] }).details[0]?.path).toBe(`filter.${field}`);
  },
);

test('M13 custom data is found by its name, also where that looks like a slip', async () => {
  const server = await chat.as();
  await server.raw('POST', '/users', {
    body: JSON.stringify({ users: { 'odd-one': { id: 'odd-one', naem: 'yes' } } }),
  });
  const ana = await chat.as('ana');
  const found = await ana.call('POST /users/query', { body: { filter: { 'custom.naem': 'yes' } } });

  expect(found.users.map(({ id }) => id)).toEqual(['odd-one']);
});

import { createTestChat, type TestChat } from '@parley/testkit';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

let chat: TestChat;
beforeAll(async () => {
  chat = await createTestChat({ users: ['ana', 'bo', 'cy'] });
  const rooms = { team: ['ana', 'bo'], secret: ['cy'], many: ['ana'] };
  for (const [id, members] of Object.entries(rooms))
    await chat.admin.channels.create('messaging', id, { created_by_id: members[0] ?? '', members });
});
afterAll(() => chat.stop());

const say = async (user: string, id: string, message: Record<string, unknown>) => {
  const raw = await chat.as(user);
  const path = { type: 'messaging', id };
  return (await raw.call('POST /channels/{type}/{id}/message', { path, body: { message } })).message;
};
const search = async (user: string, body: Record<string, unknown>) => {
  const raw = await chat.as(user);
  return raw.call('POST /search', { body });
};
const texts = async (user: string, body: Record<string, unknown>): Promise<string[]> =>
  (await search(user, body)).results.map(({ message }) => message.text);

test('M13 finds words, the last also as a beginning, and says where they are in plain text', async () => {
  await say('ana', 'team', { text: 'The <b>harvest</b> festival is on Friday' });
  await say('bo', 'team', { text: 'Harvesting starts early' });

  const { results } = await search('ana', { query: 'harvest' });

  expect(results.map(({ message }) => message.user?.id).sort()).toEqual(['ana', 'bo']);
  const mine = results.find(({ message }) => message.user?.id === 'ana');
  const marked = mine?.snippet.matches.map(({ start, end }) => mine.snippet.text.slice(start, end));
  expect([mine?.snippet.text, marked]).toEqual(['The <b>harvest</b> festival is on Friday', ['harvest']]);
  expect(await texts('ana', { query: '"festival is on"' })).toHaveLength(1);
  expect(await texts('ana', { query: '-friday harvest' })).toEqual(['Harvesting starts early']);
});

test('M13 only what the searcher may see: others’ channels, deleted messages and edits', async () => {
  await say('cy', 'secret', { text: 'the walrus password' });
  const gone = await say('ana', 'team', { text: 'walrus to be deleted' });
  const edited = await say('ana', 'team', { text: 'walrus to be edited' });
  const raw = await chat.as('ana');
  await raw.call('DELETE /messages/{id}', { path: { id: gone.id } });
  await raw.call('PUT /messages/{id}', { path: { id: edited.id }, body: { message: { text: 'a seal' } } });

  expect(await texts('ana', { query: 'walrus' })).toEqual([]);
  expect(await texts('ana', { query: 'walrus', filter: { cid: 'messaging:secret' } })).toEqual([]);
  expect(await texts('cy', { query: 'walrus' })).toEqual(['the walrus password']);
  expect(await texts('bo', { query: 'seal' })).toEqual(['a seal']);
});

test('M13 where the type switches search off, nothing is found', async () => {
  await chat.admin.channelTypes.create({ name: 'quiet', search: false });
  await chat.admin.channels.create('quiet', 'room', { created_by_id: 'ana', members: ['ana'] });
  const raw = await chat.as('ana');
  const path = { type: 'quiet', id: 'room' };
  await raw.call('POST /channels/{type}/{id}/message', { path, body: { message: { text: 'hush puppy' } } });

  expect(await texts('ana', { query: 'puppy' })).toEqual([]);
});

test('M13 filters: from, in, before, has', async () => {
  await say('ana', 'team', { text: 'otter one https://example.org' });
  const second = await say('bo', 'team', { text: 'otter two', attachments: [{ type: 'image' }] });
  await say('ana', 'many', { text: 'otter three' });
  const found = (filter: Record<string, unknown>) => texts('ana', { query: 'otter', filter });

  expect(await found({ user_id: 'bo' })).toEqual(['otter two']);
  expect(await found({ cid: 'messaging:many' })).toEqual(['otter three']);
  expect(await found({ created_at: { $lt: second.created_at } })).toEqual(['otter one https://example.org']);
  expect(await found({ created_at: { $gt: second.created_at } })).toEqual(['otter three']);
  expect(await found({ has_attachment: true })).toEqual(['otter two']);
  expect(await found({ attachment_type: 'image' })).toEqual(['otter two']);
  expect(await found({ has_link: true })).toEqual(['otter one https://example.org']);
  expect(await texts('ana', { filter: { has_link: true } })).toEqual(['otter one https://example.org']);
});

test('M13 pages of 10 by default; each match once, whatever is written in between', async () => {
  for (let index = 0; index < 23; index++) await say('ana', 'many', { text: `lemur ${index}` });
  const seen: string[] = [];
  let next: string | undefined;
  const sizes: number[] = [];
  do {
    const page = await search('ana', { query: 'lemur', ...(next === undefined ? {} : { next }) });
    seen.push(...page.results.map(({ message }) => message.text));
    sizes.push(page.results.length);
    await say('ana', 'many', { text: `lemur late ${sizes.length}` });
    next = page.next;
  } while (next !== undefined);

  expect(sizes).toEqual([10, 10, 3]);
  expect(new Set(seen).size).toBe(23);
});

test('M13 every operator, quote and sign is harmless', async () => {
  await say('ana', 'team', { text: "it's 100% \\ & | ! ( ) <-> :* zebra" });
  const signs = [
    '"',
    "'",
    '\\',
    '&',
    '|',
    '!',
    '(',
    ')',
    '<->',
    ':*',
    '%',
    '-',
    '*',
    '🎉',
    '-"',
    'or',
    "\\'",
  ];
  for (const sign of signs) {
    await search('ana', { query: sign });
    await search('ana', { query: `${sign}zebra` });
    await search('ana', { query: `zebra${sign}` });
    await search('ana', { query: `zebra ${sign} it's` });
  }
  expect(await texts('ana', { query: 'zebra & | ! it' })).toHaveLength(1);
  expect(await texts('ana', { query: '!!! ???' })).toEqual([]);
  await say('ana', 'team', { text: 'good whatever-it-is-in-Auckland, everyone' });
  expect(await texts('ana', { query: 'whatever-it-is-in-auckland' })).toHaveLength(1);
});

test('M13 refused: nothing to look for, unknown filters, a foreign or bent cursor', async () => {
  const raw = await chat.as('ana');
  const status = async (body: Record<string, unknown>) =>
    (await raw.raw('POST', '/search', { body: JSON.stringify(body) })).status;
  const { next } = await search('ana', { query: 'lemur' });

  expect(await status({})).toBe(400);
  expect(await status({ query: '   ' })).toBe(400);
  for (const query of ['a'.repeat(501), 'long '.repeat(2000), 'nul \u0000 inside', 7, null, ['a']]) {
    const { status, body } = await raw.raw('POST', '/search', { body: JSON.stringify({ query }) });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('"path":"query"')]);
  }
  expect(await status({ query: 'a', filter: { password: 1 } })).toBe(400);
  expect(await status({ query: 'a', sort: [{ field: 'text', direction: 1 }] })).toBe(400);
  expect(await status({ query: 'other', next })).toBe(400);
  expect(await status({ query: 'lemur', next: `${next}x` })).toBe(400);
});

test('M13 accents, case and width make no difference; any part of a sentence without spaces is found', async () => {
  await say('ana', 'team', { text: 'Crème brûlée für Zoë, straße' });
  await say('bo', 'team', { text: '明日は東京都に行きます' });
  await say('bo', 'team', { text: '내일 학교에서 만나요' });

  for (const query of ['creme brulee', 'ZOE', 'strasse', 'für', 'ｃｒｅｍｅ', 'brulée'])
    expect(await texts('ana', { query }), query).toEqual(['Crème brûlée für Zoë, straße']);
  for (const query of ['京都に', '東京', '行きます', '都', '"東京都"'])
    expect(await texts('ana', { query }), query).toEqual(['明日は東京都に行きます']);
  expect(await texts('ana', { query: '교에서' })).toEqual(['내일 학교에서 만나요']);
  expect(await texts('ana', { query: '京に' })).toEqual([]);
});

const inDatabase = async <T>(run: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  return run(client).finally(() => client.end());
};

test('M13 people and channels are found without their accents, and with them', async () => {
  await chat.admin.users.upsert([
    { id: 'jose', name: 'José Ångström' },
    { id: 'ser', name: 'Сергей' },
  ]);
  await chat.admin.channels.create('messaging', 'cafe', {
    created_by_id: 'ana',
    members: ['ana'],
    name: 'Café',
  });
  const raw = await chat.as('ana');
  const people = async (name: string) =>
    (await raw.call('POST /users/query', { body: { filter: { name: { $autocomplete: name } } } })).users.map(
      ({ id }) => id,
    );

  for (const name of ['jose', 'JOSÉ', 'ang', 'Ångs']) expect(await people(name), name).toEqual(['jose']);
  expect(await people('сергей')).toEqual(['ser']);
  const filter = { name: { $autocomplete: 'caf' } };
  const { channels } = await raw.call('POST /channels', { body: { filter, state: false } });
  expect(channels.map(({ channel }) => channel.name)).toEqual(['Café']);
});

test('M13 the better match is before the newer one, however many are newer', async () => {
  await say('ana', 'many', { text: 'the quarterly budget plan, at last' });
  await inDatabase((client) =>
    client.query(`
    insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
    select 'noise-' || n, 'messaging:many', 'ana', 'budget for ' || n || ' people, we quarterly planned to plan',
      'regular', 0, 0, now() + n * interval '1 ms', now() from generate_series(1, 1500) n`),
  );
  for (let turn = 0; turn < 4; turn++) await search('ana', { query: 'quarterly' });
  const query = 'quarterly budget plan';

  const [first, second] = await texts('ana', { query });
  expect(first).toBe('the quarterly budget plan, at last');
  expect(second).toMatch(/^budget for/);
  expect(await texts('ana', { query, sort: [{ field: 'created_at', direction: -1 }] })).not.toContain(first);
});

test('M13 all matches of a common word come, each once, page by page', async () => {
  const seen: string[] = [];
  let next: string | undefined;
  do {
    const page = await search('ana', { query: 'planned', limit: 100, ...(next && { next }) });
    seen.push(...page.results.map(({ message }) => message.id));
    next = page.next;
  } while (next !== undefined);

  expect([seen.length, new Set(seen).size]).toEqual([1500, 1500]);
});

test('M13 edits, deletes and undeletes are found as they are at once', async () => {
  const { id } = await say('ana', 'team', { text: 'a narwhal' });
  const raw = await chat.as('ana');
  const path = { id };
  expect(await texts('bo', { query: 'narwhal' })).toEqual(['a narwhal']);
  await raw.call('PUT /messages/{id}', { path, body: { message: { text: 'an orca' } } });
  expect(await texts('bo', { query: 'narwhal' })).toEqual([]);
  expect(await texts('bo', { query: 'orca' })).toEqual(['an orca']);
  await raw.call('DELETE /messages/{id}', { path });
  expect(await texts('bo', { query: 'orca' })).toEqual([]);
  await (await chat.as()).call('POST /messages/{id}/undelete', { path });
  expect(await texts('bo', { query: 'orca' })).toEqual(['an orca']);
});

test('M13 a message that waits for the index is found by the next search, and worked off without a search', async () => {
  const waiting = () =>
    inDatabase(async (client) => (await client.query('select 1 from search_queue')).rowCount);
  await inDatabase((client) =>
    client.query("update messages set text = 'a platypus' where text = 'an orca'"),
  );
  expect(await waiting()).toBe(1);
  expect(await texts('bo', { query: 'platypus' })).toEqual(['a platypus']);
  await say('ana', 'team', { text: 'anything' });

  await vi.waitFor(async () => expect(await waiting()).toBe(0));
});

test('M13 any text can be said, and nothing that is said stops the search', async () => {
  const odd = [
    "''",
    '\\\\',
    "'\\\\':*",
    '\u0301',
    '❤\ufe0f',
    'ﷺ',
    '½ ㎏ ™',
    '🇩🇪🏳️‍🌈',
    '\u202egnp',
    'a\u0640b',
    'ǅ ŉ İ',
  ];
  const texts = [...odd, ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 60 }), 150), 'x'.repeat(5000)];
  const said = texts.filter((text) => text.trim() !== '' && text.isWellFormed() && !text.includes('\u0000'));
  await inDatabase((client) =>
    client.query(
      `insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
      select 'odd-' || n, 'messaging:team', 'ana', text, 'regular', 0, 0, now(), now()
      from unnest($1::text[]) with ordinality given (text, n)`,
      [said],
    ),
  );
  for (const query of said) await search('ana', { query: query.slice(0, 500) });
  const ids = await search('ana', { filter: { cid: 'messaging:team' }, limit: 100 });

  expect(ids.results.length).toBeGreaterThan(50);
});

test('M13 the plan of a search uses the index of words over 60 000 messages', async () => {
  const plan = await inDatabase(async (client) => {
    await client.query(`
      insert into message_words (message_id, cid, user_id, created_at, words)
      select 'bulk-' || n, 'messaging:many', 'ana', now() - n * interval '1 second',
        to_tsvector('simple', 'filler word' || (n % 5000) || ' common text ' || n) from generate_series(1, 60000) n`);
    await client.query('analyze message_words');
    return client.query<{ 'QUERY PLAN': string }>(`
      explain select message_id from message_words w where w.cid = any('{messaging:many}')
        and w.words @@ '(''word77'')'::tsquery order by created_at desc, message_id desc limit 1000`);
  });

  expect(plan.rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('message_words_words');
});

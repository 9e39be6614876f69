import { createTestChat, type TestChat } from '@parley/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

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
  expect(await texts('ana', { query: '"harvest festival"' })).toHaveLength(1);
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
  expect(await status({ query: 'a'.repeat(501) })).toBe(400);
  expect(await status({ query: 'a', filter: { password: 1 } })).toBe(400);
  expect(await status({ query: 'a', sort: [{ field: 'text', direction: 1 }] })).toBe(400);
  expect(await status({ query: 'other', next })).toBe(400);
  expect(await status({ query: 'lemur', next: `${next}x` })).toBe(400);
});

test('M13 the plan uses the index over 60 000 messages', async () => {
  const client = new pg.Client({ connectionString: chat.databaseUrl });
  await client.connect();
  await client.query(`
    insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
    select 'bulk-' || n, 'messaging:many', 'ana', 'filler word' || (n % 5000) || ' common text ' || n,
      'regular', 0, 0, now() - n * interval '1 second', now() from generate_series(1, 60000) n`);
  await client.query('analyze messages');
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`
    explain select id from messages where deleted_at is null and cid = any('{messaging:many}')
      and to_tsvector('simple', messages.text) @@ '''word77'''::tsquery order by created_at desc limit 100`);
  await client.end();

  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('messages_words');
  expect((await search('ana', { query: 'word77', limit: 20 })).results.length).toBeGreaterThanOrEqual(12);
});

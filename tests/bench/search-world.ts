import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parley/server';
import pg from 'pg';
import { userId } from './jobs.ts';
import type { ParleyOptions, startParley } from './processes.ts';
import { createChannel, createUsers } from './setup.ts';

export const worldSize = 1_000_000;
const worldRooms = 200;
const roomMembers = 10;
/** The number of rooms that the searcher is in. */
export const ownRooms = worldRooms / 2;
export const searcher = userId(0);
/** A new name makes the next run load anew. */
const template = 'search_world_1';

export const roomId = (room: number): string => `search-${room}`;

const syllables = 'katomirusanovelidopagurenobiwasechuyafo';
export const vocabulary = 20_000;

/** The n-th word; the higher the number, the rarer. The same in SQL below. */
export const wordOf = (n: number): string =>
  [n % 20, Math.floor(n / 20) % 20, Math.floor(n / 400) % 20, Math.floor(n / 8000)]
    .map((at) => syllables.slice(at * 2, at * 2 + 2))
    .join('');
const syllable = (at: string): string => `substr('${syllables}', (${at}) * 2 + 1, 2)`;
const wordSql = ['n % 20', 'n / 20 % 20', 'n / 400 % 20', 'n / 8000'].map(syllable).join(' || ');

/** Twelve words a message, as common as the words of a language are; a message a minute, in a random room. */
const loadTexts = `
  create unlogged table bench_texts as
  select message, string_agg(${wordSql}, ' ') as text from (
    select message, least(power(${vocabulary}, random())::int - 1, ${vocabulary - 1}) as n
    from generate_series(1, ${worldSize}) message, generate_series(1, 12)
  ) spot group by message`;
const loadMessages = `
  insert into messages (id, cid, user_id, text, type, number, seq, created_at, updated_at)
  select 'search-' || message, 'messaging:search-' || room, 'bench-user-' || (room + message % ${roomMembers}), text,
    'regular', message, message, at, at from (
      select message, text, (random() * ${worldRooms - 1})::int as room,
        now() - (${worldSize} - message) * interval '1 minute' as at from bench_texts order by message
    ) sent`;
const loadWords = `
  insert into message_words (message_id, cid, user_id, created_at, words)
  select id, cid, user_id, created_at, to_tsvector('simple', text) from messages order by created_at`;

export const ask = async <Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text).finally(() => client.end())).rows;
};

/** Indexes are made when the rows are there, as a restore of a backup does it. */
const load = async (url: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set synchronous_commit = off; set maintenance_work_mem = '512MB'; select setseed(0.5)");
  await client.query(loadTexts);
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('messages', 'message_words') and indexname not like '%pkey'`);
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await client.query('alter table messages disable trigger user');
  await client.query(loadMessages);
  await client.query('alter table messages enable trigger user');
  await client.query(loadWords);
  for (const { definition } of rows) await client.query(definition);
  await client.query(`drop table bench_texts;
    update channels set seq = ${worldSize}, last_number = ${worldSize}, last_message_at = now()`);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
};

type Start = (options: Pick<ParleyOptions, 'databaseUrl'>) => ReturnType<typeof startParley>;

const create = async (adminUrl: string, url: string, start: Start): Promise<void> => {
  console.log(`loading ${worldSize} messages, once; later runs find them in .cache …`);
  await ask(adminUrl, 'drop database if exists search_loading with (force)');
  await ask(adminUrl, 'create database search_loading');
  const parley = await start({ databaseUrl: url });
  await createUsers(parley.target, worldRooms + roomMembers);
  for (let room = 0; room < worldRooms; room++) {
    const isOwn = room < ownRooms;
    const place = { type: 'messaging', id: roomId(room), firstUser: room, members: roomMembers };
    await createChannel(parley.target, place, isOwn ? [searcher] : []);
  }
  await parley.stop();
  await load(url);
  await ask(adminUrl, `alter database search_loading rename to ${template}`);
};

/** PostgreSQL with the loaded messages, and copies of them to measure on. */
export const openSearchWorld = async (cache: string, start: Start) => {
  const folder = join(cache, 'search-world');
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const urlOf = (name: string): string => {
    const url = new URL(postgres.url);
    url.pathname = `/${name}`;
    return url.href;
  };
  const known = await ask(postgres.url, `select 1 from pg_database where datname = '${template}'`);
  if (known.length === 0) await create(postgres.url, urlOf('search_loading'), start);
  const copies: string[] = [];
  return {
    async copy(name: string): Promise<string> {
      copies.push(name);
      await ask(postgres.url, `drop database if exists ${name} with (force)`);
      await ask(postgres.url, `create database ${name} template ${template} strategy file_copy`);
      return urlOf(name);
    },
    log: (): string => readFileSync(join(folder, 'pg.log'), 'utf8'),
    async stop(): Promise<void> {
      for (const name of copies) await ask(postgres.url, `drop database if exists ${name} with (force)`);
      await postgres.stop();
    },
  };
};

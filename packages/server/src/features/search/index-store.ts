import type pg from 'pg';
import { beginWrite, type Pools, type Statement } from '../../db/pool.ts';

/** A message that was sent, edited or deleted since it was indexed; one that is gone or not searched has no `cid`. */
export type Changed = {
  message_id: string;
  cid: string | null;
  user_id: string;
  created_at: string;
  text: string;
  has_file: boolean;
};

const takeBatch = `
  with taken as (
    delete from search_queue where id in (select id from search_queue order by id limit $1) returning message_id
  ), once as (select distinct message_id from taken)
  select once.message_id, messages.cid, messages.user_id, messages.created_at, messages.text,
    messages.attachments <> '[]' as has_file
  from once left join messages on messages.id = once.message_id
    and messages.deleted_at is null and messages.type in ('regular', 'reply', 'system')`;

const putWords = `
  insert into message_words (message_id, cid, user_id, created_at, words)
  select message_id, cid, user_id, created_at, words::tsvector
  from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[])
    as given (message_id, cid, user_id, created_at, words)
  on conflict (message_id) do update set created_at = excluded.created_at, words = excluded.words`;

const waitingLines: Statement = {
  name: 'search-waiting',
  text: 'select id from search_queue order by id limit 1',
};

/** The line of the queue that waits longest; undefined where none waits. */
export const findOldest = async (pools: Pools): Promise<number | undefined> =>
  (await pools.read<{ id: number }>(waitingLines, []))[0]?.id;

/** Takes the oldest lines out of the queue and returns the messages that they name. */
export const takeChanged = async (client: pg.PoolClient, most: number): Promise<Changed[]> =>
  (await client.query<Changed>(takeBatch, [most])).rows;

export const deleteWords = async (client: pg.PoolClient, messageIds: string[]): Promise<void> => {
  await client.query('delete from message_words where message_id = any($1::text[])', [messageIds]);
};

type Words = Changed & { words: string };

export const upsertWords = async (client: pg.PoolClient, rows: Words[]): Promise<void> => {
  await client.query({
    name: 'search-put-words',
    text: putWords,
    values: [
      rows.map(({ message_id }) => message_id),
      rows.map(({ cid }) => cid),
      rows.map(({ user_id }) => user_id),
      rows.map(({ created_at }) => created_at),
      rows.map(({ words }) => words),
    ],
  });
};

type Alone = {
  lockId: number;
  /** Whether replicas answer searches: they know only what is on disk. */
  isFlushed: boolean;
};

/** Begins a transaction that no other process has at the same time. Its commit need not wait for the disk: words can be made again. */
export const beginAlone = async (client: pg.PoolClient, { lockId, isFlushed }: Alone): Promise<void> => {
  await client.query(beginWrite);
  if (!isFlushed) await client.query('set local synchronous_commit = off');
  await client.query('select pg_advisory_xact_lock($1)', [lockId]);
};

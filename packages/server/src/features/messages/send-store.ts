import { limits } from '@parley/protocol';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { MessageRow } from '../../db/rows.ts';
import type { Database } from '../../db/schema.ts';
import type { ChannelNumbers } from './message-row.ts';

type Db = Kysely<Database>;

/** Rows of the statement `lock`. */
export type LockedChannel = ChannelNumbers & {
  cid: string;
  deleted_at: string | null;
  takes_messages: boolean;
};

/** A row of the statement `taken`. No channel: the message was truncated or deleted for good, so its id is nobody's and stays taken. */
export type TakenId = {
  id: string;
  cid: string | null;
  user_id: string;
  /** Kept back by its author: the id is reserved, and the message is yet to be stored. */
  pending?: boolean;
};

/** The row of the statement `one`. */
export type PlaceTaken = { seq: number; number: number; at: string };

const takesMessages = '(not frozen and not disabled and deleted_at is null)';

const isGone = (id: string): string => `exists (select from gone_message_ids where hash = md5(${id})::uuid)`;

/** An author has read the messages before their own. `from` has the number, time, id and seq of the message. */
const readMark = (from: string): string =>
  `read_number = ${from}.number, unread_from = null, last_read = ${from}.at, last_read_message_id = ${from}.id,
    read_version = ${from}.seq * ${limits.marksPerEvent}`;

/** The columns that a message of a channel's timeline is stored with; the others have their defaults. */
const messageColumns =
  'id, cid, user_id, text, type, attachments, mentioned, marks, silent, data, number, seq, created_at, updated_at, in_search_queue';

const lockText = `select cid, seq, last_number, last_message_at, deleted_at, ${takesMessages} as takes_messages from channels
  where cid = any($1::text[]) order by cid`;

export const statements = {
  lock: { name: 'gc-lock', text: `${lockText} for update` },
  /** The same without those that others hold. */
  lockFree: { name: 'gc-lock-free', text: `${lockText} for update skip locked` },
  taken: {
    name: 'gc-taken',
    text: `select m.id, c.cid, m.user_id, false as pending from messages m
        left join channels c on c.cid = m.cid and c.emptied_seq < m.seq where m.id = any($1::text[])
      union all select asked.id, null, '', false from unnest($1::text[]) asked (id) where ${isGone('asked.id')}
      union all select p.id, p.cid, p.user_id, true from pending_messages p where p.id = any($1::text[])
        and not exists (select from messages m where m.id = p.id) and not ${isGone('p.id')}`,
  },
  messages: {
    name: 'gc-messages',
    text: `with words as (insert into search_queue (message_id) select unnest($1::text[]))
      insert into messages (${messageColumns})
      select id, cid, user_id, text, type, attachments::jsonb, mentioned::jsonb, marks::jsonb, silent, data::jsonb, number, seq, created_at, created_at, true
      from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bool[], $10::text[], $11::bigint[], $12::bigint[], $13::timestamptz[])
      as t (id, cid, user_id, text, type, attachments, mentioned, marks, silent, data, number, seq, created_at)`,
  },
  events: {
    name: 'gc-events',
    text: `insert into events (cid, seq, created_at, payload)
      select cid, seq, at, payload
      from unnest($1::text[], $2::bigint[], $3::timestamptz[], $4::text[]) as t (cid, seq, at, payload)`,
  },
  channels: {
    name: 'gc-channels',
    text: `update channels set seq = t.seq, last_number = t.number, last_message_at = t.at
      from unnest($1::text[], $2::bigint[], $3::bigint[], $4::timestamptz[]) as t (cid, seq, number, at)
      where channels.cid = t.cid`,
  },
  reads: {
    name: 'gc-reads',
    text: `update members set ${readMark('t')}
      from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::text[], $6::bigint[]) as t (cid, user_id, number, at, id, seq)
      where members.cid = t.cid and members.user_id = t.user_id`,
  },
  /** All of one send: one round trip and one flush. It takes no row where the channel is locked by another, takes no messages,
   * or is gone, where the id is known, or where the author's membership is not what their right came from; the slower way then
   * finds out which. The membership is looked at by the update of its row: that sees a removal which ended after the
   * statement began, and costs no second look. */
  one: {
    name: 'gc-one',
    text: `
    with next as (
      select $2 as id, seq + 1 as seq, last_number + $3::int as number, greatest(last_message_at, $4::timestamptz(3)) as at
      from channels
      where cid = $1 and ${takesMessages}
        and not exists (select from messages where id = $2)
        and not ${isGone('$2')}
        and not exists (select from pending_messages where id = $2)
      for update skip locked
    ), read as (
      update members set ${readMark('next')}
      from next where cid = $1 and user_id = $5 and ($15::text is null or (channel_role = $15 and not banned))
      returning user_id
    ), place as (
      select seq, number, at, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as time
      from next where $15::text is null or exists (select from read)
    ), message as (
      insert into messages (${messageColumns})
      select $2, $1, $5, $6, $7, $8::jsonb, $9::jsonb, $10::jsonb, $11, $12::jsonb, number, seq, at, at, true from place
    ), words as (
      insert into search_queue (message_id) select $2 from place
    ), event as (
      insert into events (cid, seq, created_at, payload)
      select $1, seq, at, '{"type":"message.new","seq":' || seq || $13 || time || $14 || ',"number":' || number
        || ',"created_at":"' || time || '","updated_at":"' || time || '"}}'
      from place
    ), moved as (
      update channels set seq = place.seq, last_number = place.number, last_message_at = place.at from place where cid = $1
    )
    select seq, number, at from place`,
  },
};

/** The values of the statement `reads`, for the newest message of each author and channel. */
export const readMarksOf = (rows: MessageRow[]): unknown[][] => [
  rows.map((row) => row.cid),
  rows.map((row) => row.user_id),
  rows.map((row) => row.number),
  rows.map((row) => row.created_at),
  rows.map((row) => row.id),
  rows.map((row) => row.seq),
];

const run = async <T>(db: Db, { text }: { text: string }, values: unknown[]): Promise<T[]> =>
  (await db.executeQuery<T>(CompiledQuery.raw(text, values))).rows;

export const lockChannelForSend = async (db: Db, cid: string): Promise<LockedChannel | undefined> =>
  (await run<LockedChannel>(db, statements.lock, [[cid]]))[0];

export const findTaken = async (db: Db, id: string): Promise<TakenId | undefined> =>
  (await run<TakenId>(db, statements.taken, [[id]]))[0];

export const markAuthorRead = (db: Db, row: MessageRow): Promise<unknown[]> =>
  run(db, statements.reads, readMarksOf([row]));

/** Stores the numbers that `createMessageRow` has moved on; the log takes its `seq` by itself. */
export const moveChannel = (db: Db, { cid, last_number, last_message_at }: LockedChannel): Promise<unknown> =>
  db.updateTable('channels').set({ last_number, last_message_at }).where('cid', '=', cid).execute();

/** When somebody last sent a message here. The messages that stand say it for the time
 * before the channel was slow, `send_times` for messages that were deleted since. */
export const findLastSent = async (db: Db, cid: string, userId: string): Promise<string | undefined> => {
  const [stored, noted] = [
    await db
      .selectFrom('messages')
      .select((eb) => eb.fn.max('created_at').as('at'))
      .where('cid', '=', cid)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    await db
      .selectFrom('send_times')
      .select('sent_at as at')
      .where('cid', '=', cid)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  ];
  return [stored?.at, noted?.at]
    .flatMap((at) => (at ? [at] : []))
    .sort()
    .at(-1);
};

export const noteSent = (db: Db, { cid, user_id, created_at }: MessageRow): Promise<unknown> =>
  db
    .insertInto('send_times')
    .values({ cid, user_id, sent_at: created_at })
    .onConflict((conflict) => conflict.columns(['cid', 'user_id']).doUpdateSet({ sent_at: created_at }))
    .execute();

export const insertMessage = (db: Db, row: MessageRow): Promise<unknown> => {
  const { attachments, mentioned, marks, data, participants, reaction_groups, ...rest } = row;
  return db
    .insertInto('messages')
    .values({
      ...rest,
      attachments: JSON.stringify(attachments),
      mentioned: JSON.stringify(mentioned),
      marks: marks && JSON.stringify(marks),
      data: JSON.stringify(data),
      participants: JSON.stringify(participants),
      reaction_groups: JSON.stringify(reaction_groups),
    })
    .execute();
};

/** Waits for every statement that still stores messages in these channels. */
export const lockChannels = async (db: Db, cids: string[]): Promise<void> => {
  await db.selectFrom('channels').select('cid').where('cid', 'in', cids).orderBy('cid').forUpdate().execute();
};

export type StoredSend = {
  id: string;
  cid: string;
  user_id: string;
  seq: number;
  created_at: string;
  payload: string | null;
};

/** The messages among these ids that are stored, with their events in the log. */
export const listStoredSends = async (db: Db, ids: string[]): Promise<StoredSend[]> => {
  const { rows } = await sql<StoredSend>`
    select m.id, m.cid, m.user_id, m.seq, m.created_at, e.payload from messages m
    left join events e on e.cid = m.cid and e.seq = m.seq
    where m.id = any(${ids}::text[]) order by m.cid, m.seq`.execute(db);
  return rows;
};

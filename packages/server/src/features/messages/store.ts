import { invalid, limits, type MessageWindow } from '@parley/protocol';
import { type Kysely, type Selectable, sql, type Updateable } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import { isNotTruncated } from '../../db/not-truncated.ts';
import type { Pools, Statement } from '../../db/pool.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Database, MessagesTable, ReactionsTable } from '../../db/schema.ts';
import { defined } from '../../lib/defined.ts';
import { parseTime } from '../../query/values.ts';

type Db = Kysely<Database>;

const messagesBy = (db: Db, cids: readonly string[] | undefined) => {
  const found = db.selectFrom('messages').selectAll().where(isNotTruncated);
  return cids ? found.where('cid', '=', (eb) => eb.fn('any', [eb.val([...new Set(cids)])])) : found;
};

/** Messages of these channels: name them where they are known, as an engine that spreads the table by channel looks only there. */
export const findMessages = (db: Db, ids: string[], cids?: readonly string[]): Promise<MessageRow[]> =>
  messagesBy(db, cids)
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();

export const findMessage = (db: Db, id: string, cid?: string): Promise<MessageRow | undefined> =>
  messagesBy(db, cid === undefined ? undefined : [cid])
    .where('id', '=', id)
    .executeTakeFirst();

export const lockMessage = (db: Db, id: string): Promise<MessageRow | undefined> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', id)
    .where(isNotTruncated)
    .forUpdate()
    .executeTakeFirst();

/** The messages as they stand now, until the transaction ends: an edit or a deletion waits, so that its event comes after the one
 * that shows them. */
export const holdMessages = (db: Db, ids: string[]): Promise<MessageRow[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .where(isNotTruncated)
    .orderBy('id')
    .forShare()
    .execute();

export const updateMessage = (db: Db, id: string, values: Updateable<MessagesTable>): Promise<MessageRow> =>
  db.updateTable('messages').set(values).where('id', '=', id).returningAll().executeTakeFirstOrThrow();

export const deleteMessage = async (db: Db, id: string): Promise<void> => {
  await db.deleteFrom('messages').where('id', '=', id).execute();
};

/** Those of these messages that are quoted by one that was sent after a time and is not deleted. */
export const listQuotedSince = async (
  db: Db,
  cid: string,
  ids: string[],
  since: string,
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select distinct quoted_message_id as id from messages
    where cid = ${cid} and created_at > ${since}::timestamptz and quoted_message_id = any(${ids})
      and deleted_at is null`.execute(db);
  return rows.map(({ id }) => id);
};

/** A list of messages: the timeline of a channel, or the replies of a thread. */
export type MessageList = { cid: string; parentId?: string };

const listQuery = (db: Db, list: MessageList) => {
  const query = db.selectFrom('messages').selectAll();
  if (list.parentId !== undefined)
    return query.where('cid', '=', list.cid).where('parent_id', '=', list.parentId).where(isNotTruncated);
  // The words of the partial index: without them PostgreSQL does not use it.
  return query
    .where('cid', '=', list.cid)
    .where(sql<boolean>`seq > (select c.emptied_seq from channels c where c.cid = ${list.cid})`)
    .where(sql<boolean>`(parent_id is null or show_in_channel)`);
};

type Position = { created_at: string; seq: number };
/** The start of a window, whether the message there belongs to it, and how many it holds. */
type Edge = { at: Position; inclusive: boolean; most: number };

const newest = async (db: Db, list: MessageList, most: number): Promise<MessageRow[]> => {
  const query = listQuery(db, list).orderBy('created_at', 'desc').orderBy('seq', 'desc').limit(most);
  return (await query.execute()).reverse();
};

const before = async (db: Db, list: MessageList, { at, inclusive, most }: Edge): Promise<MessageRow[]> => {
  const op = sql.raw(inclusive ? '<=' : '<');
  const query = listQuery(db, list)
    .where(sql<boolean>`(created_at, seq) ${op} (${at.created_at}::timestamptz, ${at.seq}::bigint)`)
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(most);
  return (await query.execute()).reverse();
};

const after = (db: Db, list: MessageList, { at, inclusive, most }: Edge): Promise<MessageRow[]> => {
  const op = sql.raw(inclusive ? '>=' : '>');
  return listQuery(db, list)
    .where(sql<boolean>`(created_at, seq) ${op} (${at.created_at}::timestamptz, ${at.seq}::bigint)`)
    .orderBy('created_at')
    .orderBy('seq')
    .limit(most)
    .execute();
};

const findPosition = async (db: Db, list: MessageList, id: string, path: string): Promise<Position> => {
  const row = await findMessage(db, id, list.cid);
  if (!row || (list.parentId !== undefined && row.parent_id !== list.parentId))
    throw invalid(path, 'names no message of this list');
  return row;
};

const around = async (db: Db, list: MessageList, at: Position, most: number): Promise<MessageRow[]> => {
  const [older, newer] = await Promise.all([
    before(db, list, { at, inclusive: true, most: Math.ceil(most / 2) }),
    after(db, list, { at, inclusive: false, most: Math.floor(most / 2) }),
  ]);
  return [...older, ...newer];
};

/** A window of the list, oldest first. */
export const listMessages = async (
  db: Db,
  list: MessageList,
  window: MessageWindow,
  fallback: number,
): Promise<MessageRow[]> => {
  const { limit = fallback, ...positions } = window;
  const [first, second] = Object.entries(defined(positions));
  if (second) throw invalid(`messages.${second[0]}`, `only one position may be given, and ${first?.[0]} is`);
  if (!first) return newest(db, list, limit);
  const [name, value] = first;
  if (name === 'created_at_around') {
    const time = parseTime(value);
    if (time === undefined) throw invalid(`messages.${name}`, 'must be an RFC 3339 time');
    return around(db, list, { created_at: time, seq: Number.MAX_SAFE_INTEGER }, limit);
  }
  const at = await findPosition(db, list, value, `messages.${name}`);
  if (name === 'id_around') return around(db, list, at, limit);
  const edge = { at, inclusive: name === 'id_lte' || name === 'id_gte', most: limit };
  return name === 'id_lt' || name === 'id_lte' ? before(db, list, edge) : after(db, list, edge);
};

const newestOfOne: Statement = {
  name: 'messages-newest-one',
  text: `select ${columnsOf('messages')} from messages where cid = $1 and (parent_id is null or show_in_channel)
      and seq > (select emptied_seq from channels where cid = $1)
    order by created_at desc, seq desc limit $2`,
};

const newestOfMany: Statement = {
  name: 'messages-newest-many',
  text: `select ${columnsOf('messages', 'm')} from unnest($1::text[]) as wanted (cid)
    cross join lateral (
      select * from messages
      where messages.cid = wanted.cid and (parent_id is null or show_in_channel)
        and seq > (select c.emptied_seq from channels c where c.cid = wanted.cid)
      order by created_at desc, seq desc limit $2
    ) m order by m.created_at, m.seq`,
};

/** The newest messages of channels, oldest first within each. */
export const listNewest = async (pools: Pools, cids: string[], most: number): Promise<MessageRow[]> => {
  if (cids.length === 0 || most === 0) return [];
  if (cids.length > 1) return pools.read<MessageRow>(newestOfMany, [cids, most]);
  return (await pools.read<MessageRow>(newestOfOne, [cids[0], most])).reverse();
};

const pinnedOf: Statement = {
  name: 'messages-pinned',
  text: `select ${columnsOf('messages', 'm')} from unnest($1::text[]) as wanted (cid)
    cross join lateral (
      select * from messages
      where messages.cid = wanted.cid and pinned_at is not null and deleted_at is null
        and (pin_expires is null or pin_expires > $2::timestamptz)
        and seq > (select c.emptied_seq from channels c where c.cid = wanted.cid)
      order by pinned_at desc, id limit $3
    ) m order by m.pinned_at desc, m.id`,
};

/** The pinned messages of channels, newest pins first. */
export const listPinned = (pools: Pools, cids: string[], now: string): Promise<MessageRow[]> =>
  pools.read<MessageRow>(pinnedOf, [cids, now, limits.pinnedShown]);

/** Derived, not counted up: what stands after any order of replies and deletes. */
export const recountReplies = (
  db: Db,
  { cid, parentId }: { cid: string; parentId: string },
): Promise<MessageRow | undefined> =>
  sql<MessageRow>`
    update messages set
      reply_count = (
        select count(*) from messages r
        where r.cid = ${cid} and r.parent_id = ${parentId} and r.deleted_at is null
      ),
      participants = coalesce((
        select jsonb_agg(user_id order by first_at) from (
          select user_id, min(created_at) as first_at from messages r
          where r.cid = ${cid} and r.parent_id = ${parentId} and r.deleted_at is null group by user_id order by first_at limit 10
        ) p), '[]')
    where cid = ${cid} and id = ${parentId} returning ${sql.raw(columnsOf('messages'))}`
    .execute(db)
    .then((result) => result.rows[0]);

export type ReactionRow = Selectable<ReactionsTable>;

/** The newest reactions of each message, and all of the viewer's own. */
export const listShownReactions = async (
  db: Db,
  messageIds: string[],
  viewerId: string | undefined,
): Promise<(ReactionRow & { place: number })[]> => {
  if (messageIds.length === 0) return [];
  const { rows } = await sql<ReactionRow & { place: number }>`
    select ${sql.raw(columnsOf('reactions', 'ranked'))}, place from (
      select reactions.*, row_number() over (partition by message_id order by created_at desc, user_id, type) as place
      from reactions where message_id = any(${messageIds})
    ) ranked where place <= ${limits.reactionsShown} or user_id = ${viewerId ?? null} order by place`.execute(
    db,
  );
  return rows;
};

/** One person's reactions to these messages, the newest first. */
export const findOwnReactions = (db: Db, messageIds: string[], userId: string) =>
  db
    .selectFrom('reactions')
    .selectAll()
    .where('message_id', '=', (eb) => eb.fn('any', [eb.val(messageIds)]))
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('type')
    .execute();

export type PinKey = { id: string; cid: string };

/** Pins with an end, of messages that are there. */
const endingPins = sql`from messages m join channels c on c.cid = m.cid
  where m.pin_expires is not null and c.deleted_at is null and m.seq > c.emptied_seq`;

export const findNextPinExpiry = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ at: string }>`
    select m.pin_expires as at ${endingPins} order by m.pin_expires limit 1`.execute(db);
  return rows[0]?.at;
};

export const listExpiredPins = async (db: Db, now: string, most: number): Promise<PinKey[]> => {
  const { rows } = await sql<PinKey>`
    select m.id, m.cid ${endingPins} and m.pin_expires <= ${now}::timestamptz
    order by m.pin_expires limit ${most}`.execute(db);
  return rows;
};

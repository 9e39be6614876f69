import { invalid, type MessageWindow } from '@parley/protocol';
import { type Kysely, sql } from 'kysely';
import type { Pools, Statement } from '../../db/pool.ts';
import type { Database } from '../../db/schema.ts';
import type { MessageRow } from './record.ts';

type Db = Kysely<Database>;

export const findMessages = (db: Db, ids: string[]): Promise<MessageRow[]> =>
  db
    .selectFrom('messages')
    .selectAll()
    .where('id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();

export const findMessage = (db: Db, id: string): Promise<MessageRow | undefined> =>
  db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirst();

export const lockMessage = (db: Db, id: string): Promise<MessageRow | undefined> =>
  db.selectFrom('messages').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** A list of messages: the timeline of a channel, or the replies of a thread. */
export type MessageList = { cid: string } | { parentId: string };

const listQuery = (db: Db, list: MessageList) => {
  const query = db.selectFrom('messages').selectAll();
  if ('parentId' in list) return query.where('parent_id', '=', list.parentId);
  // The words of the partial index: without them PostgreSQL does not use it.
  return query.where('cid', '=', list.cid).where(sql<boolean>`(parent_id is null or show_in_channel)`);
};

type Position = { created_at: string; seq: number };

const before = async (
  db: Db,
  list: MessageList,
  at: Position | undefined,
  most: number,
  inclusive: boolean,
) => {
  const op = sql.raw(inclusive ? '<=' : '<');
  const query = listQuery(db, list)
    .$if(at !== undefined, (q) =>
      q.where(sql<boolean>`(created_at, seq) ${op} (${at?.created_at}::timestamptz, ${at?.seq}::bigint)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(most);
  return (await query.execute()).reverse();
};

const after = (db: Db, list: MessageList, at: Position, most: number, inclusive: boolean) => {
  const op = sql.raw(inclusive ? '>=' : '>');
  return listQuery(db, list)
    .where(sql<boolean>`(created_at, seq) ${op} (${at.created_at}::timestamptz, ${at.seq}::bigint)`)
    .orderBy('created_at')
    .orderBy('seq')
    .limit(most)
    .execute();
};

const findPosition = async (db: Db, list: MessageList, id: string, path: string): Promise<Position> => {
  const row = await findMessage(db, id);
  const belongs = row && ('parentId' in list ? row.parent_id === list.parentId : row.cid === list.cid);
  if (!belongs) throw invalid(path, 'names no message of this list');
  return row;
};

const around = async (db: Db, list: MessageList, at: Position, most: number): Promise<MessageRow[]> => {
  const [older, newer] = await Promise.all([
    before(db, list, at, Math.ceil(most / 2), true),
    after(db, list, at, Math.floor(most / 2), false),
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
  const given = Object.entries(positions).filter(([, value]) => value !== undefined);
  const [first, second] = given;
  if (second) throw invalid(`messages.${second[0]}`, `only one position may be given, and ${first?.[0]} is`);
  if (!first) return before(db, list, undefined, limit, false);
  const [name, value] = first as [string, string];
  if (name === 'created_at_around')
    return around(db, list, { created_at: value, seq: Number.MAX_SAFE_INTEGER }, limit);
  const at = await findPosition(db, list, value, `messages.${name}`);
  if (name === 'id_around') return around(db, list, at, limit);
  if (name === 'id_lt' || name === 'id_lte') return before(db, list, at, limit, name === 'id_lte');
  return after(db, list, at, limit, name === 'id_gte');
};

const newestOfOne: Statement = {
  name: 'messages-newest-one',
  text: `select * from messages where cid = $1 and (parent_id is null or show_in_channel)
    order by created_at desc, seq desc limit $2`,
};

const newestOfMany: Statement = {
  name: 'messages-newest-many',
  text: `select m.* from unnest($1::text[]) as wanted (cid)
    cross join lateral (
      select * from messages
      where messages.cid = wanted.cid and (parent_id is null or show_in_channel)
      order by created_at desc, seq desc limit $2
    ) m order by m.created_at, m.seq`,
};

/** The newest messages of channels, oldest first within each. */
export const listNewest = async (pools: Pools, cids: string[], most: number): Promise<MessageRow[]> => {
  if (cids.length === 0 || most === 0) return [];
  if (cids.length > 1) return pools.read<MessageRow>(newestOfMany, [cids, most]);
  return (await pools.read<MessageRow>(newestOfOne, [cids[0], most])).reverse();
};

/** Derived, not counted up: what stands after any order of replies and deletes. */
export const recountReplies = (db: Db, parentId: string): Promise<MessageRow | undefined> =>
  sql<MessageRow>`
    update messages set
      reply_count = (select count(*) from messages r where r.parent_id = ${parentId} and r.deleted_at is null),
      participants = coalesce((
        select jsonb_agg(user_id order by first_at) from (
          select user_id, min(created_at) as first_at from messages r
          where r.parent_id = ${parentId} and r.deleted_at is null group by user_id order by first_at limit 10
        ) p), '[]')
    where id = ${parentId} returning *`
    .execute(db)
    .then((result) => result.rows[0]);

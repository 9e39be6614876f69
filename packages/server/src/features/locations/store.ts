import type { SharedLocation } from '@parley/protocol';
import { type Insertable, type Kysely, sql } from 'kysely';
import { columnsOf } from '../../db/columns.ts';
import type { SharedLocationsTable } from '../../db/locations-table.ts';
import type { Database } from '../../db/schema.ts';
import { type LocationRow, toSharedLocation } from './record.ts';

type Db = Kysely<Database>;

export const insertLocation = async (db: Db, row: Insertable<SharedLocationsTable>): Promise<void> => {
  await db.insertInto('shared_locations').values(row).execute();
};

export const findLocation = (db: Db, messageId: string): Promise<LocationRow | undefined> =>
  db.selectFrom('shared_locations').selectAll().where('message_id', '=', messageId).executeTakeFirst();

export const lockLocation = (db: Db, messageId: string): Promise<LocationRow | undefined> =>
  db
    .selectFrom('shared_locations')
    .selectAll()
    .where('message_id', '=', messageId)
    .forUpdate()
    .executeTakeFirst();

/** The locations of messages that carry one. */
export const findLocations = async (db: Db, ids: string[]): Promise<Map<string, SharedLocation>> => {
  const rows = await db
    .selectFrom('shared_locations')
    .selectAll()
    .where('message_id', '=', (eb) => eb.fn('any', [eb.val(ids)]))
    .execute();
  return new Map(rows.map((row) => [row.message_id, toSharedLocation(row)]));
};

/** The locations that a user shares live now, ordered by their end. */
export const listActive = (db: Db, userId: string, now: string): Promise<LocationRow[]> =>
  db
    .selectFrom('shared_locations')
    .innerJoin('channels', 'channels.cid', 'shared_locations.cid')
    .selectAll('shared_locations')
    .where('shared_locations.user_id', '=', userId)
    .where(sql<boolean>`not shared_locations.ended`)
    .where('shared_locations.end_at', '>', now)
    .where('channels.deleted_at', 'is', null)
    .orderBy('shared_locations.end_at')
    .orderBy('shared_locations.message_id')
    .execute();

/** Deletes the live shares of a channel. */
export const deleteLive = async (db: Db, cid: string): Promise<void> => {
  await db.deleteFrom('shared_locations').where('cid', '=', cid).where('ended', '=', false).execute();
};

/** Channels in order: whoever locks several does it alike. Which of them are still there. */
export const lockChannels = async (db: Db, cids: string[]): Promise<Set<string>> => {
  const { rows } = await sql<{ cid: string; deleted_at: string | null }>`
    select cid, deleted_at from channels where cid = any(${cids}) order by cid for update`.execute(db);
  return new Set(rows.flatMap(({ cid, deleted_at }) => (deleted_at === null ? [cid] : [])));
};

/** Steps that were stored before a time and not published: their server died. */
export const listUnpublished = async (db: Db, before: string, most: number): Promise<LocationRow[]> => {
  const { rows } = await sql<LocationRow>`
    select ${sql.raw(columnsOf('shared_locations'))} from shared_locations
    where not ended and untold and updated_at < ${before}::timestamptz
    limit ${most}`.execute(db);
  return rows;
};

/** Selects the shares to end: that of one message, or those of a channel that are due or belong to members who left. */
type Ending = { messageId: string } | { cid: string; due: string } | { cid: string; userIds: string[] };

const matching = (ending: Ending) => {
  if ('messageId' in ending) return sql`message_id = ${ending.messageId}`;
  if ('due' in ending) return sql`cid = ${ending.cid} and end_at <= ${ending.due}::timestamptz`;
  return sql`cid = ${ending.cid} and user_id = any(${ending.userIds})`;
};

/** Ends shares that are live, under the lock of their channel. A share that is past its time keeps the end it had. */
export const endLive = async (db: Db, ending: Ending, now: string): Promise<LocationRow[]> => {
  const { rows } = await sql<LocationRow>`
    update shared_locations set
      ended = true, untold = false, end_at = least(end_at, ${now}::timestamptz),
      updated_at = greatest(updated_at + interval '1 millisecond', ${now}::timestamptz)
    where message_id in (
      select message_id from shared_locations where ${matching(ending)} and not ended
      order by message_id for update
    ) returning ${sql.raw(columnsOf('shared_locations'))}`.execute(db);
  return rows;
};

export const findNextEnd = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ end_at: string }>`
    select end_at from shared_locations where not ended order by end_at limit 1`.execute(db);
  return rows[0]?.end_at;
};

export const listDueChannels = async (db: Db, now: string, most: number): Promise<string[]> => {
  const { rows } = await sql<{ cid: string }>`
    select distinct cid from shared_locations where not ended and end_at <= ${now}::timestamptz
    limit ${most}`.execute(db);
  return rows.map(({ cid }) => cid);
};

type Change = { latitude?: number; longitude?: number; end_at: string };

/** Gives a live one another end, and perhaps another place. */
export const changeEnd = async (
  db: Db,
  messageId: string,
  { latitude, longitude, end_at }: Change,
  now: string,
): Promise<LocationRow> =>
  db
    .updateTable('shared_locations')
    .set({
      end_at,
      untold: false,
      ...(latitude === undefined ? {} : { latitude }),
      ...(longitude === undefined ? {} : { longitude }),
      updated_at: sql`greatest(updated_at + interval '1 millisecond', ${now}::timestamptz)`,
    })
    .where('message_id', '=', messageId)
    .returningAll()
    .executeTakeFirstOrThrow();

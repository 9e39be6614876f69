import { type Kysely, sql } from 'kysely';
import type { Database } from '../../db/schema.ts';
import type { MuteRow } from './record.ts';

/** The channels a user has muted at the time. */
export const listMutes = (db: Kysely<Database>, userId: string, now: string): Promise<MuteRow[]> =>
  db
    .selectFrom('members')
    .select(['cid', 'muted_at', 'muted_until'])
    .where('user_id', '=', userId)
    .where('muted_at', 'is not', null)
    .where((eb) => eb.or([eb('muted_until', 'is', null), eb('muted_until', '>', now)]))
    .orderBy('muted_at')
    .orderBy('cid')
    .$narrowType<{ muted_at: string }>()
    .execute();

export type MuteKey = { cid: string; user_id: string };

/** Mutes with an end, of channels that are there. */
const endingMutes = sql`from members m join channels c on c.cid = m.cid
  where m.muted_until is not null and c.deleted_at is null`;

export const findNextMuteExpiry = async (db: Kysely<Database>): Promise<string | undefined> => {
  const { rows } = await sql<{ at: string }>`
    select m.muted_until as at ${endingMutes} order by m.muted_until limit 1`.execute(db);
  return rows[0]?.at;
};

export const listExpiredMutes = async (
  db: Kysely<Database>,
  now: string,
  most: number,
): Promise<MuteKey[]> => {
  const { rows } = await sql<MuteKey>`
    select m.cid, m.user_id ${endingMutes} and m.muted_until <= ${now}::timestamptz
    order by m.muted_until limit ${most}`.execute(db);
  return rows;
};

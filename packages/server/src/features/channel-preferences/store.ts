import type { Kysely } from 'kysely';
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

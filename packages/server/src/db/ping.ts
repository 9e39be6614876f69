import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** Throws while the database does not answer. */
export const ping = async (db: Db): Promise<void> => {
  await sql`select 1`.execute(db);
};

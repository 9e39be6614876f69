import { sql } from 'kysely';
import { codeOf } from '../lib/code-of.ts';
import type { Db } from './schema.ts';

const lockNotAvailable = '55P03';

/** Whether a statement gave up a lock that another transaction holds. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === lockNotAvailable;

/** Lets the statements of this transaction wait for a lock for a moment only. */
export const limitLockWait = async (db: Db): Promise<void> => {
  await sql`set local lock_timeout = '200ms'`.execute(db);
};

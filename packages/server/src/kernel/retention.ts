import { sql } from 'kysely';
import type { Kernel } from './kernel.ts';

const keepDays = 30;
const everyMs = 60 * 60 * 1000;

/** Forgets events older than 30 days, an hour at a time; clients with an older cursor are told to resync. */
export const startRetention = (kernel: Kernel): (() => void) => {
  const run = async () => {
    try {
      await kernel.db.transaction().execute(async (trx) => {
        // An hour of a busy server is many rows.
        await sql`set local statement_timeout = 0`.execute(trx);
        await sql`delete from events where created_at < now() - make_interval(days => ${keepDays})`.execute(
          trx,
        );
      });
    } catch (error) {
      kernel.log.error({ err: error }, 'event retention failed');
    }
  };
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

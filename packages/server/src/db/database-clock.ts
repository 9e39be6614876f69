import { sql } from 'kysely';
import type { Clock } from '../lib/clock.ts';
import type { Db } from './schema.ts';

const compareMs = 10_000;
/** Both sides give whole milliseconds, and the machine's clock is adjusted in small steps. */
const roundingMs = 5;

const readTime = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`.execute(db);
  return rows[0]?.ms ?? Number.NaN;
};

/** The clock of a server: that of its machine, moved to the time of the database. So servers whose machines disagree write the same
 * times, and a rule such as slow mode measures by one clock wherever a call arrives. */
export const createDatabaseClock = (machine: Clock) => {
  let shift = 0;
  const clock: Clock = { ...machine, now: () => machine.now() + shift };

  /** The database answered between the two looks at the machine's clock. Only a shift that this rules out is changed: on a machine
   * with the right time it stays 0, however long the answer takes. */
  const compare = async (db: Db): Promise<void> => {
    const asked = machine.now();
    const time = await readTime(db);
    const [least, most] = [time - machine.now() - roundingMs, time - asked + roundingMs];
    if (least <= most && (shift < least || shift > most)) shift = Math.round((least + most) / 2);
  };

  return {
    clock,
    /** Moves the clock, and keeps it there until the returned function is called. */
    async follow(db: Db): Promise<() => void> {
      await compare(db);
      // While the database is away the clock goes on as it is.
      const timer = setInterval(() => void compare(db).catch(() => undefined), compareMs);
      timer.unref();
      return () => clearInterval(timer);
    },
  };
};

import { sql } from 'kysely';

/**
 * The `updated_at` of a change, read under the row's lock: never earlier than that of the change before, nor the same. A
 * time taken before the lock would let clients drop the newer of two changes.
 */
export const nextTime = (now: string) =>
  sql<string>`greatest(updated_at + interval '1 millisecond', ${now}::timestamptz)`;

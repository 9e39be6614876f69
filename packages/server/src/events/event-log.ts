import type { Kysely } from 'kysely';
import type { Fact } from '../bus/bus.ts';
import type { Database } from '../db/schema.ts';
import { logEventJson } from './event-json.ts';

export type LogEntry = { cid: string; type: string; fields: Record<string, unknown>; userId?: string };

/** Appends to the channel's log inside the writer's transaction. Taking `seq` locks the channel row until commit,
 * so the numbers have no hole and grow in commit order. */
export const appendEvent = async (db: Kysely<Database>, entry: LogEntry, now: string): Promise<Fact> => {
  const { seq } = await db
    .updateTable('channels')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .where('cid', '=', entry.cid)
    .returning('seq')
    .executeTakeFirstOrThrow();
  const json = logEventJson({ type: entry.type, seq, cid: entry.cid, createdAt: now }, entry.fields);
  await db.insertInto('events').values({ cid: entry.cid, seq, created_at: now, payload: json }).execute();
  return {
    kind: 'channel',
    cid: entry.cid,
    type: entry.type,
    json,
    ...(entry.userId === undefined ? {} : { userId: entry.userId }),
  };
};

/** The events after `seq`, or undefined when the log no longer reaches back that far or the gap is too wide. */
export const eventsAfter = async (
  db: Kysely<Database>,
  cid: string,
  seq: number,
  most: number,
): Promise<string[] | undefined> => {
  const channel = await db.selectFrom('channels').select('seq').where('cid', '=', cid).executeTakeFirst();
  if (channel === undefined || seq > channel.seq || channel.seq - seq > most) return undefined;
  if (channel.seq === seq) return [];
  const rows = await db
    .selectFrom('events')
    .select(['seq', 'payload'])
    .where('cid', '=', cid)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(most)
    .execute();
  return rows[0]?.seq === seq + 1 ? rows.map((row) => row.payload) : undefined;
};

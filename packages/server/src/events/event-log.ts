import { type Kysely, sql } from 'kysely';
import type { BusEvent } from '../bus/bus.ts';
import type { Database } from '../db/schema.ts';
import { logEventJson } from './event-json.ts';
import { loggedFields } from './logged-fields.ts';

export type LogEntry = { cid: string; type: string; fields: Record<string, unknown>; userId?: string };

/** Appends to the channel's log inside the writer's transaction. Taking `seq` locks the channel row until commit,
 * so the numbers have no hole and grow in commit order. */
export const appendEvent = async (
  db: Kysely<Database>,
  entry: LogEntry,
  now: string,
): Promise<{ event: BusEvent; seq: number; xid: string }> => {
  const { seq, xid } = await db
    .updateTable('channels')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .where('cid', '=', entry.cid)
    .returning(['seq', sql<string>`pg_current_xact_id()::text`.as('xid')])
    .executeTakeFirstOrThrow();
  const { cid, type, userId } = entry;
  const line = { type, seq, cid, createdAt: now };
  const json = logEventJson(line, entry.fields);
  const payload = logEventJson(line, loggedFields(entry.fields));
  await db.insertInto('events').values({ cid, seq, created_at: now, payload }).execute();
  const about = userId === undefined ? {} : { userId };
  return { seq, xid, event: { kind: 'channel', cid, type, json, seq, ...about } };
};

/** The place of a reader in a log. Without `log_id` and `at` nobody knows whether it is of this log. */
export type Cursor = { cid: string; seq: number; log_id?: string | undefined; at?: string | undefined };

/** Whether the cursor is of another log: of a channel of before this one, or of a database of which a backup took the place,
 * where other events have the numbers that the client knows. */
const isOther = (
  log: { log_id: string; at: string | null },
  { log_id, at }: Pick<Cursor, 'log_id' | 'at'>,
): boolean =>
  (log_id !== undefined && log_id !== log.log_id) ||
  (at !== undefined && log.at !== null && Date.parse(at) !== Date.parse(log.at));

export type LogPage = {
  events: string[];
  bytes: number;
  /** The log goes on after the last of these. */
  more: boolean;
};

/** The stored payloads of the events after `seq` up to about `bytes`, at least one; undefined when the log no longer reaches back that far or
 * the gap is wider than `most`. */
export const listEventsAfter = async (
  db: Kysely<Database>,
  { cid, seq, log_id, at }: Cursor,
  { most, bytes }: { most: number; bytes: number },
): Promise<LogPage | undefined> => {
  const channel = await db
    .selectFrom('channels')
    .select(['seq', 'log_floor', 'log_id'])
    .select((eb) =>
      eb
        .selectFrom('events')
        .select('created_at')
        .whereRef('events.cid', '=', 'channels.cid')
        .where('events.seq', '=', seq)
        // No key over all partitions keeps a number from being there twice: a reader must not fail then.
        .orderBy('created_at', 'desc')
        .limit(1)
        .as('at'),
    )
    .where('cid', '=', cid)
    .executeTakeFirst();
  if (channel === undefined || isOther(channel, { log_id, at })) return undefined;
  if (seq > channel.seq || channel.seq - seq > most) return undefined;
  if (channel.seq === seq) return { events: [], bytes: 0, more: false };
  if (seq < channel.log_floor) return undefined;
  const measured = db
    .selectFrom('events')
    .select(['seq', 'payload'])
    // The bytes of all rows before this one: the first is always given, or a client would never get past a large event.
    .select(sql<number>`sum(octet_length(payload)) over (order by seq) - octet_length(payload)`.as('before'))
    .where('cid', '=', cid)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(most);
  const rows = await db
    .selectFrom(measured.as('page'))
    .select(['seq', 'payload'])
    .where('before', '<', bytes)
    .orderBy('seq')
    .execute();
  // Also one in between may be gone with its partition: clocks of two servers are not the same.
  if (rows.at(-1)?.seq !== seq + rows.length) return undefined;
  const events = rows.map((row) => row.payload);
  const total = events.reduce((sum, event) => sum + Buffer.byteLength(event), 0);
  return { events, bytes: total, more: (rows.at(-1)?.seq ?? 0) < channel.seq };
};

import type pg from 'pg';
import type { StoredFact } from '../../bus/bus.ts';
import { columnsOf } from '../../db/columns.ts';
import { logEventJson } from '../../events/event-json.ts';
import { keptFields } from '../../events/kept.ts';
import { isConnectionLost, type UnsureCommit } from '../../events/unsure-commits.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type LocationRow, toSharedLocation } from './record.ts';

/** A channel, and the messages whose shares moved in it. */
type Due = { cid: string; ids: string[] };

const type = 'live_location_sharing.updated';

const statements = {
  lock: {
    name: 'locations-lock',
    text: 'select cid, seq, pg_current_xact_id()::text as xid from channels where cid = any($1::text[]) order by cid for update skip locked',
  },
  /** Removes the marks of those that moved; a location without a mark was published already. */
  take: {
    name: 'locations-take',
    text: `update shared_locations set untold = false where message_id in (
      select message_id from shared_locations
      where message_id = any($1::text[]) and untold and not ended order by message_id for update skip locked
    ) returning ${columnsOf('shared_locations')}`,
  },
  /** Of channels that another transaction holds: they are published when it is done. */
  leave: {
    name: 'locations-leave',
    text: 'update shared_locations set untold = true where message_id = any($1::text[])',
  },
  events: {
    name: 'locations-events',
    text: `insert into events (cid, seq, created_at, payload)
      select cid, seq, $4::timestamptz, payload from unnest($1::text[], $2::bigint[], $3::text[]) as t (cid, seq, payload)`,
  },
  channels: {
    name: 'locations-channels',
    text: `update channels set seq = t.seq from unnest($1::text[], $2::bigint[]) as t (cid, seq)
      where channels.cid = t.cid`,
  },
};

type Channel = { cid: string; seq: number; xid: string };

const eventsOf = (channels: Channel[], rows: LocationRow[], createdAt: string) =>
  channels.flatMap(({ cid, seq: last }) => {
    const shared_locations = rows.filter((row) => row.cid === cid).map(toSharedLocation);
    if (shared_locations.length === 0) return [];
    const line = { type, seq: last + 1, cid, createdAt };
    const json = logEventJson(line, { shared_locations });
    return [{ cid, seq: line.seq, json, kept: logEventJson(line, keptFields({ shared_locations })) }];
  });

/** `held`: channels that another transaction holds; nothing was published to them. */
type Published = { facts: StoredFact[]; held: Due[] };

/** One event for each channel, in a transaction of two round trips: sends to these channels wait for it. A channel that another
 * transaction holds is left out, so that it delays only itself. */
export const publishBatch = async (
  client: pg.Client,
  due: Due[],
  { now, settleCommit }: Pick<Kernel, 'now' | 'settleCommit'>,
): Promise<Published> => {
  let unsure: UnsureCommit | undefined;
  try {
    const [, channels, rows] = await Promise.all([
      client.query('begin'),
      client.query<Channel>({ ...statements.lock, values: [due.map(({ cid }) => cid)] }),
      client.query<LocationRow>({ ...statements.take, values: [due.flatMap(({ ids }) => ids)] }),
    ]);
    const createdAt = now();
    const locked = new Set(channels.rows.map(({ cid }) => cid));
    const left = rows.rows.filter(({ cid }) => !locked.has(cid));
    // A channel that is gone has no rows left: it is not tried again.
    const held = due.filter((one) => left.some(({ cid }) => cid === one.cid));
    const events = eventsOf(channels.rows, rows.rows, createdAt);
    const cids = events.map(({ cid }) => cid);
    const seqs = events.map(({ seq }) => seq);
    const payloads = events.map(({ kept }) => kept);
    const facts = events.map(({ cid, seq, json }): StoredFact => ({ kind: 'channel', cid, type, seq, json }));
    unsure = { xid: channels.rows[0]?.xid, stale: [], facts };
    await Promise.all([
      ...(left.length > 0
        ? [client.query({ ...statements.leave, values: [left.map(({ message_id }) => message_id)] })]
        : []),
      client.query({ ...statements.events, values: [cids, seqs, payloads, createdAt] }),
      client.query({ ...statements.channels, values: [cids, seqs] }),
      client.query('commit'),
    ]);
    return { facts, held };
  } catch (error) {
    if (unsure && isConnectionLost(error)) void settleCommit(unsure);
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

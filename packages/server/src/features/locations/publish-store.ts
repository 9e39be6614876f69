import type pg from 'pg';
import { columnsOf } from '../../db/columns.ts';
import type { LocationRow } from './record.ts';

const isRecent = (cids: string, from: string, to: string): string =>
  `cid = any(${cids}::text[]) and not ended and published_at > ${from}::timestamptz and published_at < ${to}::timestamptz`;

/** The statements that publish positions. Each function sends its statement before it returns, so that all of a round trip are
 * on their way before the first is awaited. */
const statements = {
  lock: {
    name: 'locations-lock',
    text: 'select cid, seq, pg_current_xact_id()::text as xid from channels where cid = any($1::text[]) order by cid for update skip locked',
  },
  recent: {
    name: 'locations-recent',
    text: `select cid, max(published_at) as at from shared_locations
      where ${isRecent('$1', '$2', '$3')} group by cid`,
  },
  take: {
    name: 'locations-take',
    text: `update shared_locations set untold = false, published_at = $4 where message_id in (
      select message_id from shared_locations
      where cid = any($1::text[]) and untold and not ended
        and cid not in (select cid from shared_locations where ${isRecent('$1', '$2', '$3')})
      order by message_id for update skip locked
    ) returning ${columnsOf('shared_locations')}`,
  },
  leave: {
    name: 'locations-leave',
    text: 'update shared_locations set untold = true, published_at = null where message_id = any($1::text[])',
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

export type LockedChannel = { cid: string; seq: number; xid: string };

/** Locks channels, without those that another transaction holds. */
export const lockFreeChannels = async (client: pg.Client, cids: string[]): Promise<LockedChannel[]> =>
  (await client.query<LockedChannel>({ ...statements.lock, values: [cids] })).rows;

/** The bounds of the time in which a publication by any server is so near that the channel has to rest. */
export type Near = { from: string; to: string };

/** The channels whose positions any server published just now, and when. */
export const listRecent = async (
  client: pg.Client,
  cids: string[],
  { from, to }: Near,
): Promise<{ cid: string; at: string }[]> =>
  (await client.query<{ cid: string; at: string }>({ ...statements.recent, values: [cids, from, to] })).rows;

/** Removes the marks of all that moved in these channels, at whichever server, but for channels that have to rest; a location without a
 * mark was published already. */
export const takeUnpublished = async (
  client: pg.Client,
  cids: string[],
  { from, to, now }: Near & { now: string },
): Promise<LocationRow[]> =>
  (await client.query<LocationRow>({ ...statements.take, values: [cids, from, to, now] })).rows;

/** Marks again those of channels that another transaction holds: they are published when it is done. */
export const markUnpublished = (client: pg.Client, messageIds: string[]): Promise<unknown> =>
  client.query({ ...statements.leave, values: [messageIds] });

type LoggedEvent = { cid: string; seq: number; payload: string };

/** Appends one event to the log of each channel, all of which are locked. */
export const appendEvents = (
  client: pg.Client,
  events: LoggedEvent[],
  createdAt: string,
): Promise<unknown>[] => {
  const cids = events.map(({ cid }) => cid);
  const seqs = events.map(({ seq }) => seq);
  const payloads = events.map(({ payload }) => payload);
  return [
    client.query({ ...statements.events, values: [cids, seqs, payloads, createdAt] }),
    client.query({ ...statements.channels, values: [cids, seqs] }),
  ];
};

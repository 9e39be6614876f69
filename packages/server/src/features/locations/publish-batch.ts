import { times } from '@parley/protocol';
import type pg from 'pg';
import type { StoredEvent } from '../../bus/bus.ts';
import { logEventJson } from '../../events/event-json.ts';
import { loggedFields } from '../../events/logged-fields.ts';
import { isConnectionLost, type UnsureCommit } from '../../events/unsure-commits.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { type Again, restBounds, restOf } from '../../work/coalescer.ts';
import {
  appendEvents,
  type LockedChannel,
  listRecent,
  lockFreeChannels,
  markUnpublished,
  takeUnpublished,
} from './publish-store.ts';
import { type LocationRow, toSharedLocation } from './record.ts';

const type = 'live_location_sharing.updated';

const eventsOf = (channels: LockedChannel[], rows: LocationRow[], createdAt: string) =>
  channels.flatMap(({ cid, seq: last }) => {
    const shared_locations = rows.filter((row) => row.cid === cid).map(toSharedLocation);
    if (shared_locations.length === 0) return [];
    const line = { type, seq: last + 1, cid, createdAt };
    const json = logEventJson(line, { shared_locations });
    return [{ cid, seq: line.seq, json, payload: logEventJson(line, loggedFields({ shared_locations })) }];
  });

/** `again`: channels that another transaction holds, or that another server published to just now. */
type Published = { published: StoredEvent[]; again: Again[] };

/** One event for each channel, in a transaction of two round trips: sends to these channels wait for it. A channel that another
 * transaction holds is left out, so that it delays only itself. */
export const publishBatch = async (
  client: pg.Client,
  cids: string[],
  { now, settleCommit }: Pick<Kernel, 'now' | 'settleCommit'>,
): Promise<Published> => {
  let unsure: UnsureCommit | undefined;
  try {
    const createdAt = now();
    const near = restBounds(createdAt, times.locationUpdate);
    const [, channels, recent, rows] = await Promise.all([
      client.query('begin'),
      lockFreeChannels(client, cids),
      listRecent(client, cids, near),
      takeUnpublished(client, cids, { ...near, now: createdAt }),
    ]);
    const locked = new Set(channels.map(({ cid }) => cid));
    const left = rows.filter(({ cid }) => !locked.has(cid));
    // A channel that is gone has no rows left: it is not tried again.
    const held = cids.filter((one) => left.some(({ cid }) => cid === one));
    const early = recent.flatMap(({ cid, at }) => {
      const afterMs = restOf(at, createdAt, times.locationUpdate);
      return afterMs === undefined ? [] : [{ key: cid, afterMs }];
    });
    const events = eventsOf(channels, rows, createdAt);
    const published = events.map(
      ({ cid, seq, json }): StoredEvent => ({ kind: 'channel', cid, type, seq, json }),
    );
    unsure = { xid: channels[0]?.xid, stale: [], sure: [], afterCommit: published };
    const leftIds = left.map(({ message_id }) => message_id);
    await Promise.all([
      ...(leftIds.length > 0 ? [markUnpublished(client, leftIds)] : []),
      ...appendEvents(client, events, createdAt),
      client.query('commit'),
    ]);
    return { published, again: [...held, ...early] };
  } catch (error) {
    if (unsure && isConnectionLost(error)) void settleCommit(unsure);
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
};

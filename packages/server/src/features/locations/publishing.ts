import { times } from '@parley/protocol';
import { createKeptConnection } from '../../db/kept-connection.ts';
import type { Kernel, Tx } from '../../kernel.ts';
import { type Due, publishBatch } from './publish-batch.ts';
import { type LocationRow, toSharedLocation } from './record.ts';
import { listActive } from './store.ts';

export type PublishOwn = (tx: Tx, userId: string) => Promise<void>;

/** Tells all devices of somebody what they share live now. */
export const publishOwn: PublishOwn = async (tx, userId) => {
  const rows = await listActive(tx.db, userId, tx.now);
  tx.tell([userId], 'notification.live_locations_updated', {
    active_live_locations: rows.map(toSharedLocation),
  });
};

/** Says that these ended; the rows are as they were left. */
export const publishStopped = async (tx: Tx, rows: readonly LocationRow[]): Promise<void> => {
  for (const row of rows)
    await tx.event({
      cid: row.cid,
      type: 'live_location_sharing.stopped',
      fields: { shared_location: toSharedLocation(row) },
    });
  for (const userId of new Set(rows.map((row) => row.user_id))) await publishOwn(tx, userId);
};

const mostAtOnce = 50;
/** Channels that fall due so near to each other share a commit: fewer flushes that sends would wait for. */
const gatherMs = 250;

/** Writes the events on a connection of its own, and sends them out. */
const createSpeaker = (kernel: Kernel) => {
  const connection = createKeptConnection(() => kernel.pools.connectPipelined());
  /** Returns what is to be tried again. */
  const say = async (due: Due[]): Promise<Due[]> => {
    try {
      const { facts, held } = await publishBatch(await connection.get(), due, kernel);
      for (const fact of facts) kernel.bus.publish(fact);
      return held;
    } catch (error) {
      // The marks stay: the job that ends shares comes back to them.
      kernel.log.error({ err: error }, 'telling of locations failed');
      await connection.end();
      return [];
    }
  };
  return { say, end: connection.end };
};

export type LocationPublisher = ReturnType<typeof createLocationPublisher>;

/** Tells a channel soon who moved, and then at most every 3 s of all who did meanwhile: the last place is always told. */
export const createLocationPublisher = (kernel: Kernel) => {
  /** What moved and is not told, by channel; a channel that was told lately is here, too. */
  const moved = new Map<string, Set<string>>();
  const speaker = createSpeaker(kernel);
  const timers = new Map<string, { stop(): void }>();
  let queue: string[] = [];
  let gathering: { stop(): void } | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  const take = (): Due[] => {
    const cids = queue.slice(0, mostAtOnce);
    queue = queue.slice(mostAtOnce);
    return cids.map((cid) => {
      const ids = [...(moved.get(cid) ?? [])];
      moved.set(cid, new Set());
      return { cid, ids };
    });
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0 && !isStopped) {
      const due = take();
      const held = new Map((await speaker.say(due)).map(({ cid, ids }) => [cid, ids]));
      for (const { cid } of due) {
        for (const id of held.get(cid) ?? []) moved.get(cid)?.add(id);
        const pause = held.has(cid) ? gatherMs : times.locationUpdate;
        const timer = kernel.clock.setTimeout(() => again(cid), pause);
        timers.set(cid, timer);
      }
    }
    running = undefined;
  };

  const enqueue = (cid: string): void => {
    queue.push(cid);
    gathering ??= kernel.clock.setTimeout(() => {
      gathering = undefined;
      running ??= pump();
    }, gatherMs);
  };

  const again = (cid: string): void => {
    timers.delete(cid);
    if (moved.get(cid)?.size) enqueue(cid);
    else moved.delete(cid);
  };

  return {
    /** Something moved, and was marked as untold by the transaction that stored it. */
    touch(cid: string, messageId: string): void {
      const waiting = moved.get(cid);
      if (waiting) {
        waiting.add(messageId);
        return;
      }
      moved.set(cid, new Set([messageId]));
      enqueue(cid);
    },
    async stop(): Promise<void> {
      isStopped = true;
      gathering?.stop();
      for (const timer of timers.values()) timer.stop();
      await running;
      await speaker.end();
    },
  };
};

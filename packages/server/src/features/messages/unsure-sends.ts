import type { Kernel } from '../../kernel/kernel.ts';
import type { Entry } from '../../work/batch.ts';
import type { Sent } from './commit-batch.ts';
import type { Prepared } from './prepare.ts';
import { ownerOf, refusalOfTaken } from './send-rules.ts';
import { listStoredSends, lockChannels, type StoredSend } from './send-store.ts';

type Waiting = Entry<Prepared, Sent>;

/** How long a sender waits for the outcome of a commit whose answer was lost. */
const mostWaitMs = 3000;
/** The database may still work on a statement whose connection has ended: later looks find the messages that it stores then. */
const pausesMs = [0, 200, 1000, 4000];
const longestPauseMs = 2000;

/** Looks under the locks of the channels, so that it waits for a statement that still stores there. */
const findStored = (kernel: Kernel, batch: Waiting[]): Promise<StoredSend[]> => {
  const cids = [...new Set(batch.map(({ item }) => item.cid))].sort();
  const ids = batch.map(({ item }) => item.id);
  return kernel.write(async ({ db }) => {
    await lockChannels(db, cids);
    return listStoredSends(db, ids);
  });
};

/** Finds out which messages of a batch were stored although the answer of its commit was lost: those are published from the
 * log and answered as stored. Otherwise no client would receive them until the next event. */
export const createUnsureSends = (kernel: Kernel) => {
  const pause = (ms: number) => new Promise<void>((resolve) => kernel.clock.setTimeout(() => resolve(), ms));

  /** Asks until the database answers. */
  const look = async (batch: Waiting[]): Promise<StoredSend[]> => {
    for (let ms = 50; !kernel.pools.isEnding; ms = Math.min(ms * 2, longestPauseMs)) {
      try {
        return await findStored(kernel, batch);
      } catch (error) {
        kernel.log.error({ err: error }, 'the outcome of sends is not known yet');
      }
      await pause(ms);
    }
    return [];
  };

  /** `since` is when the batch began: older messages were published before. */
  return async (batch: Waiting[], since: string, error: unknown): Promise<void> => {
    kernel.log.error({ err: error }, 'the answer of a commit was lost');
    let left = batch;
    const reject = () => {
      for (const waiting of left) waiting.reject(error);
    };
    const late = kernel.clock.setTimeout(reject, mostWaitMs);
    for (const ms of pausesMs) {
      if (left.length === 0 || kernel.pools.isEnding) break;
      if (ms > 0) await pause(ms);
      const stored = new Map((await look(left)).map((row) => [row.id, row]));
      for (const { cid, seq, created_at, payload } of stored.values())
        if (payload !== null && created_at >= since)
          for (const json of await kernel.logReading.read([payload]))
            kernel.publishStored([{ kind: 'channel', cid, type: 'message.new', seq, json }]);
      for (const { item, resolve, reject: refuse } of left) {
        const row = stored.get(item.id);
        if (!row) continue;
        const refusal = refusalOfTaken(item.id, row, ownerOf(item));
        if (refusal) refuse(refusal);
        else resolve({ repeated: true });
      }
      left = left.filter(({ item }) => !stored.has(item.id));
    }
    late.stop();
    reject();
  };
};

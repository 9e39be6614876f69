import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Kernel } from '../../kernel/kernel.ts';
import {
  beginAlone,
  type Changed,
  deleteWords,
  findOldest,
  takeChanged,
  upsertWords,
} from './index-store.ts';
import { wordsOf } from './tokens.ts';

const lockId = 7_236_843;
const batchSize = 2000;
/** The indexer writes this many messages at a time: a whole batch at once would hold the event loop and a core of the
 * database for tens of milliseconds, and every send with them. */
const sliceSize = 10;
/** The indexer rests between two slices this many times as long as the slice took, unless a search or more messages wait. */
const restRatio = 3;
/** All rests of a batch together: a search in another process waits for the lock of this one. */
const mostRestMs = 500;
/** Messages are indexed after a pause of this length, in bulk: to index between two sends delays both. It also bounds what
 * indexing takes from a server that sends much: beyond 2 000 messages a second the rest is indexed when it is calmer. */
const pauseMs = 1000;
/** Where no pause comes, the oldest message waits this long. A search does not wait: it indexes first. */
const mostWaitMs = 5000;
/** A line of the queue that is still there at the next look was left by a process that died. Those of one that lives are its own work: a
 * server whose connections watch none of these channels does nothing for them. */
const lookMs = 5000;

const put = (client: pg.PoolClient, slice: Changed[]): Promise<void> =>
  upsertWords(
    client,
    slice.map((changed) => ({ ...changed, words: wordsOf(changed.text, changed.has_file) })),
  );

/** One batch in one transaction: a crash leaves the queue as it was. Returns how many lines it took. */
const runBatch = async (client: pg.PoolClient, isUrgent: () => boolean): Promise<number> => {
  const rows = await takeChanged(client, batchSize);
  const gone = rows.filter(({ cid }) => cid === null).map(({ message_id }) => message_id);
  const there = rows.filter(({ cid }) => cid !== null);
  if (gone.length > 0) await deleteWords(client, gone);
  let restMs = rows.length < batchSize ? mostRestMs : 0;
  for (let start = 0; start < there.length; start += sliceSize) {
    const startedAt = performance.now();
    await put(client, there.slice(start, start + sliceSize));
    const pause = Math.min((performance.now() - startedAt) * restRatio, restMs);
    const isLast = start + sliceSize >= there.length;
    if (isLast || pause < 1 || isUrgent()) continue;
    restMs -= pause;
    await sleep(pause);
  }
  return rows.length;
};

/** Only one process works at a time: two could write an edit and what it replaced in the wrong order. */
const work = async ({ pools }: Kernel, isUrgent: () => boolean): Promise<number> => {
  const client = await pools.pool.connect();
  try {
    await beginAlone(client, { lockId, isFlushed: pools.replicas !== undefined });
    const count = await runBatch(client, isUrgent);
    await client.query('commit');
    return count;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
};

type Runner = { run(): Promise<number>; isRunning(): boolean };

/** Runs after each pause of the messages, until it is stopped. */
const startSchedule = ({ clock, bus, log, pools }: Kernel, { run, isRunning }: Runner): { stop(): void } => {
  let timer: { stop(): void } | undefined;
  let isStopped = false;
  /** When the first and the last message came that no run has seen; undefined where none waits. */
  let waiting: { first: number; last: number } | undefined;
  /** The oldest line at the last look. */
  let oldest: number | undefined;

  const plan = (ms: number, next: () => void): void => {
    if (isStopped) return;
    timer?.stop();
    timer = clock.setTimeout(next, ms);
  };
  const onPause = (): void => {
    const { first = 0, last = 0 } = waiting ?? {};
    const ms = Math.min(last + pauseMs, first + mostWaitMs) - clock.elapsed();
    // A run under way may have taken its batch before these messages came.
    if (ms > 0 || isRunning()) plan(Math.max(ms, pauseMs / 10), onPause);
    else tick();
  };
  const planNext = (count: number): void => {
    if (count === batchSize) plan(waiting ? pauseMs : 0, tick);
    else if (waiting) onPause();
    else plan(lookMs, look);
  };
  const onError = (error: unknown): void => {
    if (!isStopped) log.error({ err: error }, 'indexing words failed');
    plan(lookMs, tick);
  };
  const tick = (): void => {
    waiting = undefined;
    run().then(planNext, onError);
  };
  const look = (): void => {
    const before = oldest;
    findOldest(pools).then((id) => {
      oldest = id;
      if (id !== undefined && id === before) tick();
      // A message that came meanwhile has planned its own run.
      else if (!waiting) plan(lookMs, look);
    }, onError);
  };
  const unsubscribe = bus.subscribe((event) => {
    if (event.kind !== 'channel' || !event.type.startsWith('message.')) return;
    const now = clock.elapsed();
    if (waiting) {
      waiting.last = now;
      return;
    }
    waiting = { first: now, last: now };
    plan(pauseMs, onPause);
  });
  plan(0, tick);
  return {
    stop: () => {
      isStopped = true;
      unsubscribe();
      timer?.stop();
    },
  };
};

export type Indexing = ReturnType<typeof startIndexing>;

/** Keeps the words of messages in step with the messages, a moment behind them. */
export const startIndexing = (kernel: Kernel) => {
  let running: Promise<number> | undefined;
  let isStopped = false;
  /** Searches that wait for the index. */
  let searches = 0;

  const run = (): Promise<number> => {
    running ??= work(kernel, () => searches > 0 || isStopped).finally(() => {
      running = undefined;
    });
    return running;
  };
  const schedule = startSchedule(kernel, { run, isRunning: () => running !== undefined });

  return {
    /** Indexes pending messages before a search, so that it finds them, unless there are very many. */
    async catchUp(): Promise<void> {
      if ((await findOldest(kernel.pools)) === undefined) return;
      searches += 1;
      try {
        await running?.catch(() => undefined);
        await run();
      } finally {
        searches -= 1;
      }
    },
    async stop(): Promise<void> {
      isStopped = true;
      schedule.stop();
      await running?.catch(() => undefined);
    },
  };
};

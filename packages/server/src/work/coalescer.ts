import type { Kernel } from '../kernel/kernel.ts';
import { isoTime } from '../lib/clock.ts';

/** The coalescer: many changes to one thing become few publications of its newest state, such as votes, positions, read counts.
 *
 * - Each key is flushed soon after its first touch and then at most once in `everyMs`, however often it is touched; the last
 *   touch is always followed by a flush. Keys that wait at the same time share a flush of up to `mostAtOnce`.
 * - At least once while this server lives: keys that `flush` returns, and all keys of a flush that throws, are tried again.
 * - Per server, in memory: two servers may both flush a key, and kill -9 loses what waits. A change that must be published
 *   is marked in the transaction that stores it; `flush` takes the mark, so of two servers one publishes, and a due job
 *   touches keys whose mark outlived their server.
 * - `everyMs` holds for all servers together where `flush` stores the time of it under a lock and returns a key that any of
 *   them flushed less than that ago (`restOf`).
 * - `stop` cancels what waits and resolves after the flush under way. */
export type CoalescerOptions<V> = {
  name: string;
  /** How long the first touched key waits for others to share its flush; without it a key is flushed at once. */
  waitMs?: number;
  /** The shortest time between two flushes of one key. */
  everyMs: number;
  mostAtOnce: number;
  /** Merges two touches of one key. */
  merge(older: V, newer: V): V;
  /** Publishes the state of these keys. Returns those that must be tried again, for example because a channel is held. */
  flush(batch: Touched<V>[]): Promise<readonly Again[]>;
};

/** A key to be tried again soon, or after a time. */
export type Again = string | { key: string; afterMs: number };

export type Touched<V> = { key: string; value: V };

export type Coalescer<V> = { touch(key: string, value: V): void; stop(): Promise<void> };

const retryMs = 250;
const afterFailureMs = 1000;

type Timer = { stop(): void };
/** `waiting` is undefined while a key only rests after its flush. */
type Entry<V> = { waiting: { value: V } | undefined };

/** The pending value of each key. */
const createEntries = <V>(merge: CoalescerOptions<V>['merge']) => {
  const entries = new Map<string, Entry<V>>();
  const put = (key: string, value: V, isOlder: boolean): boolean => {
    const entry = entries.get(key);
    if (!entry) entries.set(key, { waiting: { value } });
    else if (!entry.waiting) entry.waiting = { value };
    else
      entry.waiting.value = isOlder ? merge(value, entry.waiting.value) : merge(entry.waiting.value, value);
    return entry === undefined;
  };
  return {
    /** True for a key that neither waits nor rests. */
    add: (key: string, value: V): boolean => put(key, value, false),
    putBack: ({ key, value }: Touched<V>): boolean => put(key, value, true),
    take: (key: string): Touched<V>[] => {
      const entry = entries.get(key);
      if (!entry?.waiting) return [];
      const { value } = entry.waiting;
      entry.waiting = undefined;
      return [{ key, value }];
    },
    /** False for a key that nobody touched since its flush: it is forgotten. */
    isWaiting: (key: string): boolean => {
      const isWaiting = entries.get(key)?.waiting !== undefined;
      if (!isWaiting) entries.delete(key);
      return isWaiting;
    },
  };
};

const toPauses = (keys: readonly Again[]): Map<string, number> =>
  new Map(keys.map((one) => (typeof one === 'string' ? [one, retryMs] : [one.key, one.afterMs])));

/** A timer may end a little early, and the clocks of two servers are a little apart. */
const slackMs = 10;

/** The bounds of the times of flushes after which a key still has to rest. */
export const restBounds = (now: string, everyMs: number): { from: string; to: string } => {
  const [at, nearMs] = [Date.parse(now), everyMs - slackMs];
  return { from: isoTime(at - nearMs), to: isoTime(at + nearMs) };
};

/** How long a key still has to rest that was flushed at this time, here or at another server; undefined where it need not. A clock that
 * was set back leaves times to come: such a one is believed only for the length of one rest. */
export const restOf = (flushedAt: string | null, now: string, everyMs: number): number | undefined => {
  if (flushedAt === null) return undefined;
  const agoMs = Date.parse(now) - Date.parse(flushedAt);
  return Math.abs(agoMs) < everyMs - slackMs ? Math.min(everyMs, everyMs - agoMs) : undefined;
};

export const createCoalescer = <V>(
  { clock, log }: Pick<Kernel, 'clock'> & { log: Pick<Kernel['log'], 'error'> },
  { name, waitMs, everyMs, mostAtOnce, merge, flush }: CoalescerOptions<V>,
): Coalescer<V> => {
  const entries = createEntries(merge);
  const resting = new Map<string, Timer>();
  let queue: string[] = [];
  let nextFlush: Timer | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;

  const take = (): Touched<V>[] => {
    const keys = queue.slice(0, mostAtOnce);
    queue = queue.slice(mostAtOnce);
    return keys.flatMap(entries.take);
  };

  /** Flushes a batch and lets each of its keys rest; keys to be tried again wait with what came meanwhile. */
  const flushBatch = async (batch: Touched<V>[]): Promise<void> => {
    const pauses = await flush(batch).then(toPauses, (error: unknown) => {
      log.error({ err: error, coalescer: name }, 'publishing failed and is repeated');
      return new Map(batch.map(({ key }) => [key, afterFailureMs]));
    });
    for (const one of batch) {
      const pauseMs = pauses.get(one.key);
      if (pauseMs !== undefined) entries.putBack(one);
      rest(one.key, pauseMs ?? everyMs);
    }
  };

  const pump = async (): Promise<void> => {
    while (queue.length > 0 && !isStopped) await flushBatch(take());
    running = undefined;
  };

  const begin = (): void => {
    nextFlush = undefined;
    // The pump under way may have taken all: a pump without work would end before it is stored, and stand for ever.
    if (queue.length > 0) running ??= pump();
  };

  const enqueue = (key: string): void => {
    queue.push(key);
    if (waitMs === undefined) begin();
    else nextFlush ??= clock.setTimeout(begin, waitMs);
  };

  const rest = (key: string, ms: number): void => {
    if (isStopped) return;
    resting.set(
      key,
      clock.setTimeout(() => wakeUp(key), ms),
    );
  };

  const wakeUp = (key: string): void => {
    resting.delete(key);
    if (entries.isWaiting(key)) enqueue(key);
  };

  return {
    touch: (key, value) => {
      if (!isStopped && entries.add(key, value)) enqueue(key);
    },
    stop: async () => {
      isStopped = true;
      nextFlush?.stop();
      for (const timer of resting.values()) timer.stop();
      await running;
    },
  };
};

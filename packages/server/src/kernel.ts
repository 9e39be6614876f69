import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { Bus, Fact } from './bus/bus.ts';
import type { Config } from './config.ts';
import type { Pools } from './db/pool.ts';
import type { Database } from './db/schema.ts';
import { isStalePlan } from './db/statements.ts';
import { guardWrite, refuseInsideWrite } from './db/write-guard.ts';
import { userEventJson } from './events/event-json.ts';
import { appendEvent, type LogEntry } from './events/event-log.ts';
import { type Clock, isoTime } from './lib/clock.ts';

/** One transaction of a service: what it writes and what it will say when it is committed. */
export type Tx = {
  db: Transaction<Database>;
  /** Taken when it is first asked for: after the first lock, so that times rise in the order of the commits. */
  readonly now: string;
  /** The last number that this transaction has taken in a channel's log. */
  readonly seqs: ReadonlyMap<string, number>;
  /** Appends to a channel's log; locks the channel row. */
  event(entry: LogEntry): Promise<void>;
  /** Tells users on all their connections. */
  tell(userIds: string[], type: string, fields: Record<string, unknown>, cid?: string): void;
  /** Runs after the commit, in order with the events. */
  later(run: () => void): void;
  /** What caches must forget. */
  stale(fact: Omit<Extract<Fact, { kind: 'stale' }>, 'kind'>): void;
};

export type Kernel = {
  config: Config;
  clock: Clock;
  log: FastifyBaseLogger;
  pools: Pools;
  /** For work outside transactions. A function that is also called inside `write` takes its handle as a parameter. */
  db: Kysely<Database>;
  bus: Bus;
  now(): string;
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Tells users what no transaction needs to guard. */
  tell(userIds: string[], type: string, fields: Record<string, unknown>, cid?: string): void;
};

const retryable = new Set(['40001', '40P01']);
const mostTries = 5;

const isRetryable = (error: unknown): boolean =>
  error instanceof Error &&
  (retryable.has((error as Error & { code?: string }).code ?? '') || isStalePlan(error));

export const createKernel = (parts: Pick<Kernel, 'config' | 'clock' | 'log' | 'pools' | 'bus'>): Kernel => {
  const { bus, clock } = parts;
  const { db } = parts.pools;
  const now = () => isoTime(clock.now());

  const attempt = async <T>(run: (tx: Tx) => Promise<T>): Promise<T> => {
    const stale: Fact[] = [];
    const facts: (() => void)[] = [];
    const result = await db.transaction().execute(async (trx) => {
      let time: string | undefined;
      const seqs = new Map<string, number>();
      const tx: Tx = {
        db: trx,
        get now() {
          time ??= now();
          return time;
        },
        seqs,
        event: async (entry) => {
          const { fact, seq } = await appendEvent(trx, entry, tx.now);
          seqs.set(entry.cid, seq);
          facts.push(() => bus.publish(fact));
        },
        tell: (userIds, type, fields, cid) => {
          if (userIds.length === 0) return;
          const json = userEventJson(type, tx.now, fields, cid);
          facts.push(() => bus.publish({ kind: 'users', userIds, type, json }));
        },
        later: (run) => {
          facts.push(run);
        },
        stale: (fact) => {
          stale.push({ kind: 'stale', ...fact });
        },
      };
      return guardWrite(() => run(tx));
    });
    // Caches forget before anyone hears of the change, so nobody acts on what was.
    for (const fact of stale) bus.publish(fact);
    for (const say of facts) say();
    return result;
  };

  const write: Kernel['write'] = async (run) => {
    for (let tries = 1; ; tries++) {
      try {
        return await attempt(run);
      } catch (error) {
        if (tries >= mostTries || !isRetryable(error)) throw error;
      }
    }
  };

  const tell: Kernel['tell'] = (userIds, type, fields, cid) =>
    bus.publish({ kind: 'users', userIds, type, json: userEventJson(type, now(), fields, cid) });

  return {
    ...parts,
    get db() {
      refuseInsideWrite();
      return db;
    },
    now,
    write,
    tell,
  };
};

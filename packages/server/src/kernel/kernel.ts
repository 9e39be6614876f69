import { ParleyError } from '@parley/protocol';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Transaction } from 'kysely';
import type { Bus, BusEvent, StoredEvent, TransientEvent } from '../bus/bus.ts';
import { noOthers, type Others } from '../cluster/others.ts';
import type { Config } from '../config/config.ts';
import type { Pools } from '../db/pool.ts';
import type { Database } from '../db/schema.ts';
import { isStalePlan } from '../db/statements.ts';
import { guardWrite, refuseInsideWrite } from '../db/write-guard.ts';
import { userEventJson } from '../events/event-json.ts';
import { appendEvent, type LogEntry } from '../events/event-log.ts';
import { isPartitionNew } from '../events/log-partitions.ts';
import {
  createUnsureCommits,
  currentXid,
  isConnectionLost,
  type LogReading,
  type SettleCommit,
  type UnsureCommit,
} from '../events/unsure-commits.ts';
import { type Clock, isoTime } from '../lib/clock.ts';
import { codeOf } from '../lib/code-of.ts';
import { noTracer, type Tracer } from '../lib/tracing.ts';

/** One transaction of a service: its writes, and the events that are published when it is committed. */
export type Tx = {
  db: Transaction<Database>;
  /** Taken when it is first asked for: after the first lock, so that times rise in the order of the commits. */
  readonly now: string;
  /** The last number that this transaction has taken in a channel's log. */
  readonly seqs: ReadonlyMap<string, number>;
  /** Appends to a channel's log; locks the channel row. */
  event(entry: LogEntry): Promise<void>;
  /** Notifies users on all their connections. */
  notify(userIds: string[], type: string, fields: Record<string, unknown>, cid?: string): void;
  /** The same for what must not be lost with this server, such as a reminder that is due: the notice to the other servers is part of
   * the commit. */
  notifySurely(userIds: string[], type: string, fields: Record<string, unknown>, cid?: string): void;
  /** An event about a user, for everyone who follows their presence. */
  userEvent(userId: string, type: string, fields: Record<string, unknown>): void;
  /** Runs after the commit, in order with the events. */
  later(run: () => void): void;
  /** Makes caches forget an entry. */
  stale(event: Omit<Extract<BusEvent, { kind: 'stale' }>, 'kind'>): void;
};

/** The caller that asked for a write. */
export type Caller = {
  /** They wait no longer: what they do instead may be done already, and this would undo it. */
  isGone?: (() => boolean) | undefined;
};

const refuseGone = ({ isGone }: Caller): void => {
  if (isGone?.()) throw new ParleyError('Unavailable', 'The caller waits no longer: nothing was done');
};

export type Kernel = {
  config: Config;
  clock: Clock;
  log: FastifyBaseLogger;
  pools: Pools;
  /** The handle for work outside transactions. A function that is also called inside `write` takes its handle as a parameter. */
  db: Kysely<Database>;
  /** The bus, for subscriptions. Features publish by `write` and by the three functions below, which a check enforces. */
  bus: Bus;
  /** The other servers on the same database. */
  others: Others;
  tracer: Tracer;
  /** How many items wait in each queue of this server, by its name. */
  readonly queues: Map<string, () => number>;
  now(): string;
  write<T>(run: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for what a caller asked for: nothing is written for one who gave up while the database did not answer. */
  writeFor<T>(caller: Caller, run: (tx: Tx) => Promise<T>): Promise<T>;
  /** Finds out what became of a commit whose answer was lost, and publishes it, for features that commit without `write`. */
  settleCommit: SettleCommit;
  /** Makes events of what the log keeps of them. The composition root sets it: it reads records of many features. */
  logReading: LogReading;
  /** Publishes events of the log that a commit outside `write` has stored. */
  publishStored(events: readonly StoredEvent[]): void;
  /** Publishes an event that no transaction stores. */
  publishTransient(event: TransientEvent): void;
  /** Notifies users outside a transaction. */
  notify(userIds: string[], type: string, fields: Record<string, unknown>, cid?: string): void;
};

const retryable = new Set(['40001', '40P01']);
const mostTries = 5;
/** How long a caller waits for the outcome of a commit whose answer was lost. */
const mostWaitMs = 3000;

const isRetryable = (error: unknown): boolean =>
  error instanceof Error &&
  (retryable.has(codeOf(error) ?? '') || isStalePlan(error) || isPartitionNew(error));

const publish = (bus: Bus, { stale, afterCommit }: UnsureCommit): void => {
  // Caches forget before the change is published, so nobody acts on an old value.
  for (const event of stale) bus.publish(event);
  for (const step of afterCommit)
    if (typeof step === 'function') step();
    else bus.publish(step);
};

/** The commit was sent and not answered. The caller waits a moment for its outcome. */
const awaitOutcome = async (outcome: Promise<boolean | undefined>, clock: Clock): Promise<boolean> => {
  let stopWaiting = () => {};
  const late = new Promise<undefined>((resolve) => {
    const timer = clock.setTimeout(() => resolve(undefined), mostWaitMs);
    stopWaiting = () => timer.stop();
  });
  const isCommitted = await Promise.race([outcome, late]);
  stopWaiting();
  return isCommitted === true;
};

/** `commit` collects the events that are published once the transaction is committed. */
const createTx = (
  trx: Transaction<Database>,
  { now, others }: Pick<Kernel, 'now' | 'others'>,
  commit: UnsureCommit,
): Tx => {
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
      const { event, seq, xid } = await appendEvent(trx, entry, tx.now);
      seqs.set(entry.cid, seq);
      commit.xid = xid;
      commit.afterCommit.push(event);
    },
    notify: (userIds, type, fields, cid) => {
      if (userIds.length === 0) return;
      commit.afterCommit.push({
        kind: 'users',
        userIds,
        type,
        json: userEventJson(type, tx.now, fields, cid),
      });
    },
    notifySurely: (userIds, type, fields, cid) => {
      const json = userEventJson(type, tx.now, fields, cid);
      const event = { kind: 'users' as const, userIds, type, json };
      commit.sure.push(event);
      commit.afterCommit.push(() => others.publishHere(event));
    },
    userEvent: (userId, type, fields) => {
      const json = JSON.stringify({ type, created_at: tx.now, ...fields });
      commit.afterCommit.push({ kind: 'presence', userId, json });
    },
    later: (run) => {
      commit.afterCommit.push(run);
    },
    stale: (event) => {
      commit.stale.push({ kind: 'stale', ...event });
    },
  };
  return tx;
};

/** The ways to publish outside of `write`. */
const createPublishing = (
  bus: Bus,
  now: () => string,
): Pick<Kernel, 'publishStored' | 'publishTransient' | 'notify'> => ({
  publishStored: (events) => {
    for (const event of events) bus.publish(event);
  },
  publishTransient: (event) => bus.publish(event),
  notify: (userIds, type, fields, cid) =>
    bus.publish({ kind: 'users', userIds, type, json: userEventJson(type, now(), fields, cid) }),
});

type Parts = Pick<Kernel, 'config' | 'clock' | 'log' | 'pools' | 'bus'> &
  Partial<Pick<Kernel, 'others' | 'tracer'>>;

export const createKernel = (parts: Parts): Kernel => {
  const { bus, clock, others = noOthers, tracer = noTracer } = parts;
  const { db } = parts.pools;
  const now = () => isoTime(clock.now());

  const logReading: LogReading = { read: async (payloads) => [...payloads] };
  const isEnding = () => parts.pools.isEnding;
  const settleCommit = createUnsureCommits({ ...parts, db, logReading, isEnding });

  const attempt = async <T>(run: (tx: Tx) => Promise<T>): Promise<T> => {
    const commit: UnsureCommit = { xid: undefined, stale: [], sure: [], afterCommit: [] };
    let done: { result: T } | undefined;
    let result: T;
    try {
      result = await db.transaction().execute(async (trx) => {
        const tx = createTx(trx, { now, others }, commit);
        const ran = await guardWrite(() => run(tx));
        await others.storeInside(trx, commit);
        if (commit.afterCommit.length > 0 || commit.stale.length > 0) commit.xid ??= await currentXid(trx);
        done = { result: ran };
        return ran;
      });
    } catch (error) {
      if (!done || !isConnectionLost(error)) throw error;
      parts.log.error({ err: error }, 'the answer of a commit was lost');
      if (!(await awaitOutcome(settleCommit(commit), clock))) throw error;
      return done.result;
    }
    publish(bus, commit);
    return result;
  };

  const write: Kernel['write'] = async (run) => {
    for (let tries = 1; ; tries++) {
      try {
        return await tracer.within('transaction', () => attempt(run));
      } catch (error) {
        if (tries >= mostTries || !isRetryable(error)) throw error;
      }
    }
  };

  const writeFor: Kernel['writeFor'] = (caller, run) =>
    write(async (tx) => {
      refuseGone(caller);
      const result = await run(tx);
      // The last moment before the commit: statements may have waited for a lock, or for the database.
      refuseGone(caller);
      return result;
    });

  return {
    ...parts,
    others,
    tracer,
    get db() {
      refuseInsideWrite();
      return db;
    },
    queues: new Map(),
    now,
    write,
    writeFor,
    settleCommit,
    logReading,
    ...createPublishing(bus, now),
  };
};

import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { createKeptConnection, type KeptConnection } from '../db/kept-connection.ts';
import { isStalePlan } from '../db/statements.ts';
import { isConnectionLost } from '../events/unsure-commits.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { isoTime } from '../lib/clock.ts';
import { type Entry, isPassing, mostPerCommit } from './batch.ts';
import { HeldItems } from './held-items.ts';

/** The lane: calls that arrive while a commit is in flight share the next one, on a connection of the lane's own. Sends, votes
 * and positions go through lanes: one transaction and one flush to disk for up to 400 of them.
 *
 * - The caller waits: its answer comes after the commit, in the order of the calls. Nothing is kept for a caller who is not
 *   there: after kill -9 the caller repeats the call, so items need an id or must bear repetition.
 * - Once in a batch: a batch that meets a deadlock, an id stored or a partition made by another server, or a stale plan is committed a second
 *   time as a whole; every other error rejects all its items. If the connection breaks during the commit nobody knows
 *   whether it was stored: `settleLost` finds out and answers, and without it the items are rejected.
 * - Several servers: each has its own lane; the locks that `commit` takes order them.
 * - An item whose lock another transaction holds can be answered with `held`. It is then set aside with all later items of its
 *   key, and waits for the lock on one of a few other connections, up to 25 s; items of other keys do not wait for it. */
export type LaneOptions<I, R> = {
  /** The name of its queue in metrics. */
  name: string;
  connect(): Promise<pg.Client>;
  /** Commits a batch. One outcome for each item, in the same order; a refused item does not stop the others. */
  commit(client: pg.Client, items: I[], how: Attempt): Promise<Outcome<R>[]>;
  /** The lock that an item may wait for; needed for lanes whose `commit` answers with `held`. */
  keyOf?(item: I): string;
  /** Answers items whose commit may or may not have been stored. `since` is when it began. */
  settleLost?(entries: Entry<I, R>[], since: string, error: unknown): Promise<void>;
};

/** `skips`: items behind a lock that another transaction holds are `held`. `waits`: the commit waits for such locks. */
export type Attempt = { isFirstTry: boolean; patience: 'skips' | 'waits' };

export const held = Symbol('held');
export type Outcome<R> = R | ParleyError | typeof held;

export type Lane<I, R> = { ask(item: I): Promise<R>; stop(): Promise<void> };

class BatchLane<I, R> implements Lane<I, R> {
  #clock: Kernel['clock'];
  #options: LaneOptions<I, R>;
  #queue: Entry<I, R>[] = [];
  #running: Promise<void> | undefined;
  #connection: KeptConnection;
  #held: HeldItems<I, R> | undefined;

  constructor(clock: Kernel['clock'], options: LaneOptions<I, R>) {
    this.#clock = clock;
    this.#options = options;
    this.#connection = createKeptConnection(options.connect);
    const { keyOf, connect } = options;
    if (keyOf)
      this.#held = new HeldItems({
        keyOf,
        connect,
        commit: (client, batch) => this.#commit(client, batch, { isFirstTry: false, patience: 'waits' }),
        fail: (batch, since, error) => this.#fail(batch, since, error),
        now: () => this.#now(),
      });
  }

  ask(item: I): Promise<R> {
    return new Promise((resolve, reject) => {
      const entry = { item, resolve, reject };
      // The item goes behind those that wait for the same lock: the order of the calls is kept.
      if (this.#held?.takes(entry)) return;
      this.#queue.push(entry);
      this.#running ??= this.#pump();
    });
  }

  /** The items that wait for their commit. */
  get size(): number {
    return this.#queue.length + (this.#held?.size ?? 0);
  }

  async stop(): Promise<void> {
    await this.#running;
    await this.#held?.stop();
    await this.#connection.end();
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      const taken = this.#queue.slice(0, mostPerCommit);
      this.#queue = this.#queue.slice(mostPerCommit);
      // Items that were queued before their key was set aside keep their place there.
      const batch = this.#held?.isEmpty === false ? taken.filter((one) => !this.#held?.takes(one)) : taken;
      if (batch.length > 0) await this.#run(batch, true);
    }
    this.#running = undefined;
  }

  async #run(batch: Entry<I, R>[], isFirstTry: boolean): Promise<void> {
    const since = this.#now();
    let isSent = false;
    try {
      const client = await this.#connection.get();
      isSent = true;
      await this.#commit(client, batch, { isFirstTry, patience: 'skips' });
    } catch (error) {
      if (isFirstTry && isPassing(error)) return this.#run(batch, false);
      await this.#connection.end();
      // A new connection has no plans that could be stale.
      if (isFirstTry && isStalePlan(error)) return this.#run(batch, false);
      this.#fail(batch, isSent ? since : undefined, error);
    }
  }

  #now(): string {
    return isoTime(this.#clock.now());
  }

  async #commit(client: pg.Client, batch: Entry<I, R>[], how: Attempt): Promise<void> {
    const items = batch.map(({ item }) => item);
    const outcomes = await this.#options.commit(client, items, how);
    for (const [index, outcome] of outcomes.entries()) {
      const entry = batch[index];
      if (entry === undefined) continue;
      if (outcome === held) this.#held?.add(entry);
      else if (outcome instanceof ParleyError) entry.reject(outcome);
      else entry.resolve(outcome);
    }
  }

  #fail(batch: Entry<I, R>[], since: string | undefined, error: unknown): void {
    const { settleLost } = this.#options;
    if (settleLost && since !== undefined && isConnectionLost(error)) void settleLost(batch, since, error);
    else for (const { reject } of batch) reject(error);
  }
}

export const createLane = <I, R>(
  { clock, queues }: Pick<Kernel, 'clock' | 'queues'>,
  options: LaneOptions<I, R>,
): Lane<I, R> => {
  const lane = new BatchLane(clock, options);
  queues.set(options.name, () => lane.size);
  return lane;
};

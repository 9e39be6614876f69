import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { createKeptConnection, type KeptConnection } from '../../db/kept-connection.ts';
import { isLockTimeout } from '../../db/lock-timeout.ts';
import { isStalePlan } from '../../db/statements.ts';
import { isConnectionLost } from '../../events/unsure-commits.ts';
import type { Kernel } from '../../kernel.ts';
import { commitBatch, type PlacedBatch, type Sent, type Waiting } from './commit-batch.ts';
import { commitOne } from './commit-one.ts';
import type { Prepared } from './prepare.ts';
import { createSideConnections, type SideConnections } from './side-connections.ts';
import { createUnsureSends, type UnsureSends } from './unsure-sends.ts';

const mostPerCommit = 400;
/** How long a send waits for a channel that another transaction holds. */
const mostWaitMs = 25_000;
const uniqueViolation = '23505';
const deadlock = '40P01';

type Counts = { commits: number; messages: number };
type Aside = { waiting: Waiting[]; since: number };

/** Sends that arrive while a commit is in flight share the next one: one transaction, one flush to disk for all. A send that
 * is alone takes one statement. A channel that another transaction holds is set aside and waited for on a connection of
 * its own, so that it delays only itself. */
class Lane {
  #kernel: Kernel;
  #counts: Counts;
  #queue: Waiting[] = [];
  #running: Promise<void> | undefined;
  #connection: KeptConnection;
  #aside = new Map<string, Aside>();
  #asideRuns = new Set<Promise<void>>();
  #sides: SideConnections;
  #settle: UnsureSends;

  constructor(kernel: Kernel, counts: Counts) {
    this.#kernel = kernel;
    this.#counts = counts;
    this.#settle = createUnsureSends(kernel);
    this.#connection = createKeptConnection(() => kernel.pools.connectPipelined());
    this.#sides = createSideConnections(() => kernel.pools.connectPipelined());
  }

  push(waiting: Waiting): void {
    const aside = this.#aside.get(waiting.message.cid);
    if (aside) {
      aside.waiting.push(waiting);
      return;
    }
    this.#queue.push(waiting);
    this.#running ??= this.#pump();
  }

  async stop(): Promise<void> {
    await this.#running;
    await Promise.all(this.#asideRuns);
    await this.#connection.end();
    await this.#sides.end();
  }

  async #pump(): Promise<void> {
    while (this.#queue.length > 0) {
      const taken = this.#queue.slice(0, mostPerCommit);
      this.#queue = this.#queue.slice(mostPerCommit);
      const batch = this.#aside.size === 0 ? taken : this.#withoutAside(taken);
      if (batch.length > 0) await this.#run(batch, true);
    }
    this.#running = undefined;
  }

  /** What came before its channel was set aside keeps its place in line there. */
  #withoutAside(taken: Waiting[]): Waiting[] {
    return taken.filter((waiting) => {
      const aside = this.#aside.get(waiting.message.cid);
      aside?.waiting.push(waiting);
      return aside === undefined;
    });
  }

  async #run(batch: Waiting[], isFirstTry: boolean): Promise<void> {
    const since = this.#kernel.now();
    let isSent = false;
    try {
      const client = await this.#connection.get();
      isSent = true;
      this.#tell(await this.#commit(client, batch, isFirstTry));
    } catch (error) {
      const { code } = error as { code?: string };
      // Another server stored one of these ids in between: the second look finds it.
      if (isFirstTry && (code === uniqueViolation || code === deadlock)) return this.#run(batch, false);
      await this.#connection.end();
      // A new connection has no plans that could be stale.
      if (isFirstTry && isStalePlan(error)) return this.#run(batch, false);
      if (isSent) this.#fail(batch, since, error);
      else for (const waiting of batch) waiting.reject(error);
    }
  }

  #fail(batch: Waiting[], since: string, error: unknown): void {
    if (isConnectionLost(error)) void this.#settle(batch, since, error);
    else for (const waiting of batch) waiting.reject(error);
  }

  async #commit(client: pg.Client, batch: Waiting[], isFirstTry: boolean): Promise<PlacedBatch> {
    const { now } = this.#kernel;
    const [only] = batch;
    const one = isFirstTry && batch.length === 1 && only ? await commitOne(client, only, now()) : undefined;
    return one ?? commitBatch(client, batch, { now, patience: 'skips' });
  }

  #tell({ placed, answered, skipped }: PlacedBatch): void {
    this.#counts.commits++;
    this.#counts.messages += placed.length;
    for (const { row, eventJson } of placed)
      this.#kernel.bus.publish({
        kind: 'channel',
        cid: row.cid,
        type: 'message.new',
        seq: row.seq,
        json: eventJson,
      });
    for (const { waiting, messageJson, row } of placed) waiting.resolve({ json: messageJson, seq: row.seq });
    for (const answer of answered) answer();
    for (const waiting of skipped) this.#setAside(waiting);
  }

  #setAside(waiting: Waiting): void {
    const { cid } = waiting.message;
    const known = this.#aside.get(cid);
    if (known) {
      known.waiting.push(waiting);
      return;
    }
    const aside = { waiting: [waiting], since: performance.now() };
    this.#aside.set(cid, aside);
    const run = this.#workAside(cid, aside).finally(() => this.#asideRuns.delete(run));
    this.#asideRuns.add(run);
  }

  async #workAside(cid: string, aside: Aside): Promise<void> {
    while (aside.waiting.length > 0)
      await this.#sides
        .use((client) => this.#runAside(client, aside))
        .catch((error: unknown) => {
          for (const waiting of aside.waiting.splice(0)) waiting.reject(error);
        });
    this.#aside.delete(cid);
  }

  async #runAside(client: pg.Client, aside: Aside): Promise<void> {
    const batch = aside.waiting.splice(0, mostPerCommit);
    const since = this.#kernel.now();
    try {
      this.#tell(await commitBatch(client, batch, { now: this.#kernel.now, patience: 'waits' }));
      aside.since = performance.now();
    } catch (error) {
      const { code } = error as { code?: string };
      const isPassing = isLockTimeout(error) || code === uniqueViolation || code === deadlock;
      if (isPassing && performance.now() - aside.since < mostWaitMs) {
        // Others that wait take their turn on the connection.
        aside.waiting.unshift(...batch);
        return;
      }
      const told = isLockTimeout(error) ? new ParleyError('Unavailable') : error;
      this.#fail(batch, since, told);
      if (!isPassing) throw error;
    }
  }
}

export type GroupCommit = {
  send(message: Prepared): Promise<Sent>;
  stop(): Promise<void>;
  counts: Counts;
};

export const createGroupCommit = (kernel: Kernel): GroupCommit => {
  const counts = { commits: 0, messages: 0 };
  const lane = new Lane(kernel, counts);
  return {
    counts,
    send: (message) => new Promise((resolve, reject) => lane.push({ message, resolve, reject })),
    stop: () => lane.stop(),
  };
};

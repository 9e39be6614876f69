import { ParleyError } from '@parley/protocol';
import type pg from 'pg';
import { isLockTimeout } from '../db/lock-timeout.ts';
import { type Entry, isPassing, mostPerCommit } from './batch.ts';
import { createSideConnections, type SideConnections } from './side-connections.ts';

/** How long an item waits for a lock that another transaction holds. */
const mostWaitMs = 25_000;

type Options<I, R> = {
  keyOf(item: I): string;
  connect(): Promise<pg.Client>;
  /** Commits and answers these, waiting for locks. */
  commit(client: pg.Client, batch: Entry<I, R>[]): Promise<void>;
  /** Answers those whose commit failed. */
  fail(batch: Entry<I, R>[], since: string, error: unknown): void;
  now(): string;
};

/** `trying` counts the items of the commit under way, which waits for the lock. */
type Line<I, R> = { entries: Entry<I, R>[]; trying: number; since: number };

/** The items of a lane that wait for a lock: one line for each key, worked off on a few connections of their own. */
export class HeldItems<I, R> {
  #options: Options<I, R>;
  #lines = new Map<string, Line<I, R>>();
  #runs = new Set<Promise<void>>();
  #connections: SideConnections;

  constructor(options: Options<I, R>) {
    this.#options = options;
    this.#connections = createSideConnections(options.connect);
  }

  get isEmpty(): boolean {
    return this.#lines.size === 0;
  }

  get size(): number {
    let size = 0;
    for (const { entries, trying } of this.#lines.values()) size += entries.length + trying;
    return size;
  }

  /** True when the key of this item is held: it waits in line then. */
  takes(entry: Entry<I, R>): boolean {
    if (this.#lines.size === 0) return false;
    const line = this.#lines.get(this.#options.keyOf(entry.item));
    line?.entries.push(entry);
    return line !== undefined;
  }

  add(entry: Entry<I, R>): void {
    if (this.takes(entry)) return;
    const key = this.#options.keyOf(entry.item);
    const line = { entries: [entry], trying: 0, since: performance.now() };
    this.#lines.set(key, line);
    const run = this.#workOff(key, line).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#runs);
    await this.#connections.end();
  }

  async #workOff(key: string, line: Line<I, R>): Promise<void> {
    while (line.entries.length > 0)
      await this.#connections
        .use((client) => this.#runOnce(client, line))
        .catch((error: unknown) => {
          for (const { reject } of line.entries.splice(0)) reject(error);
        });
    this.#lines.delete(key);
  }

  async #runOnce(client: pg.Client, line: Line<I, R>): Promise<void> {
    const batch = line.entries.splice(0, mostPerCommit);
    const { commit, fail, now } = this.#options;
    const since = now();
    line.trying = batch.length;
    try {
      await commit(client, batch);
      line.since = performance.now();
    } catch (error) {
      const mayPass = isLockTimeout(error) || isPassing(error);
      if (mayPass && performance.now() - line.since < mostWaitMs) {
        // Other lines that wait take their turn on the connection.
        line.entries.unshift(...batch);
        return;
      }
      fail(batch, since, isLockTimeout(error) ? new ParleyError('Unavailable') : error);
      // The connection is closed: it may be the cause.
      if (!mayPass) throw error;
    } finally {
      line.trying = 0;
    }
  }
}

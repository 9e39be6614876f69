import type { Db } from '../db/schema.ts';
import { countWatchersElsewhere, storeWatchers } from './store.ts';

type Deps = { self: string; db: Db; isShared(): boolean; onError(error: unknown): void };

const storeMs = 250;

/** How many connections watch each channel, on all servers. A change is stored a moment later; alone nothing is. */
export class WatcherCounts {
  #deps: Deps;
  #counts = new Map<string, number>();
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  set(cid: string, count: number): void {
    if (count > 0) this.#counts.set(cid, count);
    else this.#counts.delete(cid);
    if (!this.#deps.isShared()) return;
    this.#changed.add(cid);
    this.#storeSoon();
  }

  /** Another server is there, or took this one for dead: it knows none of these counts. */
  storeAll(): void {
    for (const cid of this.#counts.keys()) this.#changed.add(cid);
    this.#storeSoon();
  }

  async elsewhere(cids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { self, db, isShared } = this.#deps;
    return isShared() && cids.length > 0 ? countWatchersElsewhere(db, self, cids) : new Map();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #storeSoon(): void {
    if (this.#changed.size > 0) this.#timer ??= setTimeout(() => this.#store(), storeMs).unref();
  }

  #store(): void {
    this.#timer = undefined;
    const { self, db, onError } = this.#deps;
    const counts = new Map([...this.#changed].map((cid) => [cid, this.#counts.get(cid) ?? 0]));
    this.#changed.clear();
    storeWatchers(db, self, counts).catch((error: unknown) => {
      for (const cid of counts.keys()) this.#changed.add(cid);
      this.#storeSoon();
      onError(error);
    });
  }
}

import type { BusEvent } from '../bus/bus.ts';
import type { Db } from '../db/schema.ts';
import type { Clock } from '../lib/clock.ts';
import { listStale, type Moment } from './store.ts';

type Deps = { self: string; db: Db; clock: Clock; publish(event: BusEvent): void };

/** A server that has not looked for so long, because it was paused or the database was away, trusts no cache. */
const mostAgeMs = 4000;
/** After this long entries may have been removed that it has not read. */
const keptMs = 30 * 60 * 1000;

/** Publishes here what other servers made stale: the database says so, whether the bus did or not. */
export class StaleReader {
  #deps: Deps;
  #moment: Moment | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Whether caches may hold what another server changed long ago. */
  isLate(): boolean {
    return this.#deps.clock.elapsed() - this.#lookedAt > mostAgeMs;
  }

  /** One look at a time; who comes meanwhile waits for the next, since the one under way may have read too early. */
  async look(): Promise<void> {
    await this.#looking?.catch(() => undefined);
    this.#looking ??= this.#read().finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #read(): Promise<void> {
    const { self, db, clock, publish } = this.#deps;
    const startedAt = clock.elapsed();
    const wasAway = this.#moment !== undefined && startedAt - this.#lookedAt > keptMs;
    const { entries, moment, isOlder } = await listStale(db, self, this.#moment);
    this.#moment = moment;
    if (wasAway || isOlder) publish({ kind: 'stale', what: 'everything', key: '' });
    for (const event of entries) publish(event);
    this.#lookedAt = startedAt;
  }
}

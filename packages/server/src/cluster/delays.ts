import type { Clock } from '../lib/clock.ts';

/** Upper bounds in seconds. */
const bounds = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

export type Histogram = {
  /** Upper bounds in seconds. */
  bounds: readonly number[];
  /** How many were at most that long and longer than the bound before; the last is of those above all bounds. */
  counts: readonly number[];
  sum: number;
  count: number;
};

/** How long events of other servers take to get here. By the clock of the database: those of two servers may be apart. */
export class Delays {
  #clock: Clock;
  /** The clock of the database is ahead by this many milliseconds. */
  #ahead = 0;
  #counts = new Array<number>(bounds.length + 1).fill(0);
  #sum = 0;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get histogram(): Histogram {
    return { bounds, counts: [...this.#counts], sum: this.#sum, count: this.#count };
  }

  /** The time of the database, as far as this server knows it. */
  now(): number {
    return this.#clock.now() + this.#ahead;
  }

  /** The database said its time between these two moments of this server. */
  setClock(databaseNow: number, askedAt: number, answeredAt: number): void {
    this.#ahead = databaseNow - (askedAt + answeredAt) / 2;
  }

  note(sentAt: number): void {
    const seconds = Math.max(0, this.now() - sentAt) / 1000;
    if (Number.isNaN(seconds)) return;
    const found = bounds.findIndex((bound) => seconds <= bound);
    const at = found === -1 ? bounds.length : found;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    this.#sum += seconds;
    this.#count++;
  }
}

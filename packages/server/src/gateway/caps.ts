import { limits, ParleyError } from '@parley/protocol';
import type { Clock } from '../lib/clock.ts';

/** Sockets beyond the cap that still get a close code; those after them are not even upgraded. */
const refusedMore = 20;

export type Place = {
  /** The connection is over the cap: it gets a close code, and holds its place only until it has ended. */
  isOver: boolean;
  leave(): void;
};

const tooManyOf = (what: string, most: number) =>
  new ParleyError('RateLimited', `Too many connections of this ${what}: at most ${most} are open at a time`);

/** Counts open connections by address. It holds one number for each address that has a connection. */
export class AddressCap {
  #most: number;
  #counts = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Undefined where not even a refusal is worth a socket. */
  enter(address: string): Place | undefined {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most + refusedMore) return undefined;
    this.#counts.set(address, count + 1);
    let isIn = true;
    return {
      isOver: count >= this.#most,
      leave: () => {
        if (!isIn) return;
        isIn = false;
        this.#leave(address);
      },
    };
  }

  refusal(): ParleyError {
    return tooManyOf('address', this.#most);
  }

  #leave(address: string): void {
    const left = (this.#counts.get(address) ?? 1) - 1;
    if (left === 0) this.#counts.delete(address);
    else this.#counts.set(address, left);
  }
}

/** Refuses one more connection of a user who has as many as the configuration allows. */
export const checkUserCap = (open: number, most: number): void => {
  if (open >= most) throw tooManyOf('user', most);
};

/** The frames that one socket may send: a burst, and then so many frames a second. */
export class FrameBudget {
  #clock: Clock;
  #left: number = limits.framesBurst;
  #at: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#at = clock.now();
  }

  /** Whether one more frame is within the budget. */
  take(): boolean {
    const now = this.#clock.now();
    const earned = ((now - this.#at) / 1000) * limits.framesPerSecond;
    this.#at = now;
    this.#left = Math.min(limits.framesBurst, this.#left + Math.max(0, earned)) - 1;
    return this.#left >= 0;
  }
}

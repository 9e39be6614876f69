import { limits, ParleyError } from '@parley/protocol';
import type { Limits } from '../cluster/shared-limits.ts';
import type { Clock } from '../lib/clock.ts';

/** Sockets beyond the cap that still get a close code; those after them are not even upgraded. */
const refusedMore = 20;

export type Place = {
  /** The connection is over the cap: it gets a close code, and holds its place only until it has ended. */
  isOver: boolean;
  /** Throws where the connections on all servers are too many. To be called before anything is done for the connection. */
  confirm(): Promise<void>;
  leave(): void;
};

const tooManyOf = (what: string, most: number) =>
  new ParleyError('RateLimited', `Too many connections of this ${what}: at most ${most} are open at a time`);

/** Counts open connections by address. It holds one number for each address that has a connection. */
export class AddressCap {
  #most: number;
  #shared: Limits;
  #counts = new Map<string, number>();

  constructor(most: number, shared: Limits) {
    this.#most = most;
    this.#shared = shared;
  }

  /** Undefined where not even a refusal is worth a socket. */
  enter(address: string): Place | undefined {
    const count = this.#counts.get(address) ?? 0;
    if (count >= this.#most + refusedMore) return undefined;
    this.#set(address, count + 1);
    let isIn = true;
    return {
      isOver: count >= this.#most,
      confirm: () => this.#confirm(address),
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
    this.#set(address, (this.#counts.get(address) ?? 1) - 1);
  }

  #set(address: string, count: number): void {
    if (count === 0) this.#counts.delete(address);
    else this.#counts.set(address, count);
    if (this.#most < Number.POSITIVE_INFINITY) this.#shared.setConnections(`address ${address}`, count);
  }

  async #confirm(address: string): Promise<void> {
    if (this.#most === Number.POSITIVE_INFINITY || this.#shared.servers() === 1) return;
    const elsewhere = await this.#shared.countConnections(`address ${address}`);
    if (elsewhere + (this.#counts.get(address) ?? 0) > this.#most) throw this.refusal();
  }
}

/** Refuses one more connection of a user who has as many as the configuration allows. */
export class UserCap {
  #most: number;
  #shared: Limits;

  constructor(most: number, shared: Limits) {
    this.#most = most;
    this.#shared = shared;
  }

  /** Called before the connection is there: `open` is how many this server has. */
  check(open: number): void {
    if (open >= this.#most) throw tooManyOf('user', this.#most);
  }

  /** Once it is there, and counts for the other servers as well. */
  async confirm(userId: string, open: () => number): Promise<void> {
    if (this.#most === Number.POSITIVE_INFINITY || this.#shared.servers() === 1) return;
    const elsewhere = await this.#shared.countConnections(`user ${userId}`);
    if (elsewhere + open() > this.#most) throw tooManyOf('user', this.#most);
  }
}

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

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

/** `open` are all of an address, `counted` those of them that were not refused. */
type Count = { open: number; counted: number };

/** Counts open connections by address. It holds two numbers for each address that has a connection. */
export class AddressCap {
  #most: number;
  #shared: Limits;
  #counts = new Map<string, Count>();

  constructor(most: number, shared: Limits) {
    this.#most = most;
    this.#shared = shared;
  }

  /** Undefined where not even a refusal is worth a socket. */
  enter(address: string): Place | undefined {
    const { open, counted } = this.#of(address);
    if (open >= this.#most + refusedMore) return undefined;
    const isOver = counted >= this.#most;
    let counts = !isOver;
    this.#set(address, { open: open + 1, counted: counted + Number(counts) });
    let isIn = true;
    const stopCounting = (): void => {
      const now = this.#of(address);
      if (counts) this.#set(address, { ...now, counted: now.counted - 1 });
      counts = false;
    };
    return {
      isOver,
      confirm: () =>
        this.#confirm(address).catch(async (error: unknown) => {
          // The next try may be at another server, which refuses it if this one still counts there.
          stopCounting();
          await this.#shared.storeConnections();
          throw error;
        }),
      leave: () => {
        if (!isIn) return;
        isIn = false;
        stopCounting();
        const now = this.#of(address);
        this.#set(address, { ...now, open: now.open - 1 });
      },
    };
  }

  refusal(): ParleyError {
    return tooManyOf('address', this.#most);
  }

  #of(address: string): Count {
    return this.#counts.get(address) ?? { open: 0, counted: 0 };
  }

  #set(address: string, count: Count): void {
    const isNews = count.counted !== this.#of(address).counted;
    if (count.open === 0) this.#counts.delete(address);
    else this.#counts.set(address, count);
    if (isNews && this.#most < Number.POSITIVE_INFINITY)
      this.#shared.setConnections(`address ${address}`, count.counted);
  }

  async #confirm(address: string): Promise<void> {
    if (this.#most === Number.POSITIVE_INFINITY || this.#shared.servers() === 1) return;
    const elsewhere = await this.#shared.countConnections(`address ${address}`);
    if (elsewhere + this.#of(address).counted > this.#most) throw this.refusal();
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

  /** Resolves when a connection that was refused counts at no server any more: the next try may be at another one. */
  async forget(): Promise<void> {
    if (this.#most < Number.POSITIVE_INFINITY) await this.#shared.storeConnections();
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

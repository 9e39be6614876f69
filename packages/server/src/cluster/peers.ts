import type { Clock } from '../lib/clock.ts';

/** A server that is silent on the bus for this long may have stored events without saying so. */
const suspectMs = 800;

type Peer = { receivedAt: number };

/** The other servers that are alive, and when the last text of each came by the bus. */
export class Peers {
  #clock: Clock;
  #peers = new Map<string, Peer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get size(): number {
    return this.#peers.size;
  }

  ids(): string[] {
    return [...this.#peers.keys()];
  }

  has(id: string): boolean {
    return this.#peers.has(id);
  }

  /** A server is alive that has sent nothing yet: it counts as silent until it does. */
  add(id: string): void {
    if (!this.#peers.has(id)) this.#peers.set(id, { receivedAt: Number.NEGATIVE_INFINITY });
  }

  /** Whether it was silent before, so that texts of it may have been lost. */
  receivedFrom(id: string): boolean {
    const was = this.#peers.get(id);
    const now = this.#clock.elapsed();
    this.#peers.set(id, { receivedAt: now });
    return was === undefined || now - was.receivedAt > suspectMs;
  }

  remove(id: string): boolean {
    return this.#peers.delete(id);
  }

  isSilent(id: string): boolean {
    const peer = this.#peers.get(id);
    return peer !== undefined && this.#clock.elapsed() - peer.receivedAt > suspectMs;
  }

  /** Whether one of them is silent. */
  hasSilent(): boolean {
    return this.ids().some((id) => this.isSilent(id));
  }
}

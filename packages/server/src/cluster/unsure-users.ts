import type { BusEvent } from '../bus/bus.ts';
import type { LostUsers } from '../bus/link-text.ts';
import type { Clock } from '../lib/clock.ts';

/** A link that is cut without a word still looks open for a while: what was sent in that time is lost. */
const unsureMs = 10_000;
const mostUsers = 500;

/** The users to whom events went that no log holds: those of the last moments, and of the time that the link has been away. */
export class UnsureUsers {
  #clock: Clock;
  /** When each was last sent something, the oldest first. */
  #sentAt = new Map<string, number>();
  /** When something was sent last that concerns anybody: too many users, or those who follow one. */
  #allAt: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(event: BusEvent, isLinkUp: boolean): void {
    if (event.kind !== 'users' && event.kind !== 'presence') return;
    const now = this.#clock.elapsed();
    if (isLinkUp) this.#forget(now - unsureMs);
    if (event.kind === 'presence' || this.#sentAt.size + event.userIds.length > mostUsers) {
      this.#allAt = now;
      this.#sentAt.clear();
    } else
      for (const userId of event.userIds) {
        this.#sentAt.delete(userId);
        this.#sentAt.set(userId, now);
      }
  }

  /** The link is there again: those who may have missed something; undefined for nobody. */
  take(): LostUsers | undefined {
    const userIds = [...this.#sentAt.keys()];
    const isAll = this.#allAt !== undefined;
    this.#sentAt.clear();
    this.#allAt = undefined;
    if (isAll) return 'all';
    return userIds.length > 0 ? userIds : undefined;
  }

  #forget(before: number): void {
    if (this.#allAt !== undefined && this.#allAt < before) this.#allAt = undefined;
    for (const [userId, at] of this.#sentAt) {
      if (at >= before) return;
      this.#sentAt.delete(userId);
    }
  }
}

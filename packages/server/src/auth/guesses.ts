import { ParleyError } from '@parley/protocol';
import type { Clock } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';

/** Wrong keys and tokens of one address at once, and how many more each second. Many people may be behind an address, and a
 * client with an old token tries it a few times: only a program that guesses comes near this. */
const burst = 300;
const perSecond = 5;
/** Addresses that are remembered; those that failed long ago are forgotten first. */
const mostAddresses = 10_000;

type Count = { left: number; at: number };

export type Guesses = ReturnType<typeof createGuesses>;

/** Counts failed sign-ins by address. What succeeds costs nothing, so people behind one address do not use up each other's. */
export const createGuesses = (clock: Clock) => {
  const counts = createLru<Count>(mostAddresses);
  const leftOf = ({ left, at }: Count): number =>
    Math.min(burst, left + (Math.max(0, clock.now() - at) / 1000) * perSecond);
  return {
    /** Before a key or token that nobody knows yet is looked at. */
    check(address: string): void {
      const count = counts.get(address);
      if (count === undefined || leftOf(count) >= 1) return;
      throw new ParleyError('RateLimited', 'Too many failed sign-ins from this address: wait a few seconds');
    },
    failed(address: string): void {
      const count = counts.get(address);
      counts.set(address, { left: (count ? leftOf(count) : burst) - 1, at: clock.now() });
    },
  };
};

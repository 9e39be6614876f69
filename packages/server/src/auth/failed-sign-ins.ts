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

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Counts failed sign-ins by address. A sign-in that succeeds is not counted, so people behind one address do not use up each other's. */
export const createFailedSignIns = (clock: Clock) => {
  const counts = createLru<Count>(mostAddresses);
  const leftOf = ({ left, at }: Count): number =>
    Math.min(burst, left + (Math.max(0, clock.now() - at) / 1000) * perSecond);
  return {
    /** Refuses an address with too many failures. Called before an unknown key or token is checked. */
    check(address: string): void {
      const known = counts.get(address);
      if (known === undefined || leftOf(known) >= 1) return;
      throw new ParleyError('RateLimited', 'Too many failed sign-ins from this address: wait a few seconds');
    },
    count(address: string): void {
      const known = counts.get(address);
      counts.set(address, { left: (known ? leftOf(known) : burst) - 1, at: clock.now() });
    },
  };
};

import { ParleyError } from '@parley/protocol';
import type { Limits } from '../cluster/shared-limits.ts';
import type { Clock } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';

/** Wrong keys and tokens of one address at once, and how many more each second. Many people may be behind an address, and a
 * client with an old token tries it a few times: only a program that guesses comes near this. */
const burst = 300;
const perSecond = 5;
/** Addresses that are remembered; those that failed long ago are forgotten first. */
const mostAddresses = 10_000;
/** How long failures wait before they are sent to the other servers together. */
const sendMs = 100;

type Count = { left: number; at: number };

export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Counts failed sign-ins by address, on all servers together. A sign-in that succeeds is not counted, so people behind one address
 * do not use up each other's. */
export const createFailedSignIns = (clock: Clock, shared: Limits) => {
  const counts = createLru<Count>(mostAddresses);
  const unsent = new Map<string, number>();
  const leftOf = ({ left, at }: Count): number =>
    Math.min(burst, left + (Math.max(0, clock.now() - at) / 1000) * perSecond);
  const add = (address: string, failures: number): void => {
    const known = counts.get(address);
    counts.set(address, { left: (known ? leftOf(known) : burst) - failures, at: clock.now() });
  };
  const send = (): void => {
    shared.send({ spent: [], wanted: [], failed: [...unsent] });
    unsent.clear();
  };
  shared.onNews(({ failed }) => {
    for (const [address, failures] of failed) add(address, failures);
  });
  return {
    /** Refuses an address with too many failures. Called before an unknown key or token is checked. */
    check(address: string): void {
      const known = counts.get(address);
      if (known === undefined || leftOf(known) >= 1) return;
      throw new ParleyError('RateLimited', 'Too many failed sign-ins from this address: wait a few seconds');
    },
    count(address: string): void {
      add(address, 1);
      if (shared.servers() === 1) return;
      if (unsent.size === 0) setTimeout(send, sendMs).unref();
      unsent.set(address, (unsent.get(address) ?? 0) + 1);
    },
  };
};

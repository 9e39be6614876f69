import { findBadProxy } from '../lib/proxies.ts';

export type LimitsConfig = {
  /** Whether calls, sockets, frames and failed sign-ins are counted at all. */
  rateLimits: boolean;
  /** Addresses and networks of the proxies whose `X-Forwarded-For` counts. */
  trustProxy: string[];
  socketsPerUser: number;
  socketsPerAddress: number;
};

/** The part of the reader of `config.ts` that is needed here. */
type Reader = {
  problems: string[];
  whole(name: string, fallback: number, bounds: [number, number]): number;
  list(name: string): string[] | undefined;
  flag(name: string, fallback: boolean): boolean;
};

export const readLimitsConfig = (read: Reader): LimitsConfig => {
  const trustProxy = read.list('TRUST_PROXY') ?? [];
  const bad = findBadProxy(trustProxy);
  if (bad !== undefined)
    read.problems.push(
      `TRUST_PROXY: "${bad}" is neither an address (10.0.0.7), nor a network (10.0.0.0/8, fd00::/8), nor loopback or private, nor a count of proxies (1 to 9) beside one of these`,
    );
  return {
    rateLimits: read.flag('PARLEY_RATE_LIMITS', true),
    trustProxy,
    socketsPerUser: read.whole('PARLEY_SOCKETS_PER_USER', 50, [1, 1_000_000]),
    socketsPerAddress: read.whole('PARLEY_SOCKETS_PER_ADDRESS', 500, [1, 1_000_000]),
  };
};

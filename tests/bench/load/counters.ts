import type { LaneResult } from '../jobs.ts';
import type { Cost } from './cost.ts';

/** The counters of one lane since it was opened. */
export type Counters = {
  acks: number;
  deliveries: number;
  bytes: number;
  errors: number;
  closed: number;
  missing: number;
  firstError: string;
  /** Milliseconds; filled only while `measuring`. */
  latencies: number[];
  measuring: boolean;
};

export const createCounters = (): Counters => ({
  acks: 0,
  deliveries: 0,
  bytes: 0,
  errors: 0,
  closed: 0,
  missing: 0,
  firstError: '',
  latencies: [],
  measuring: false,
});

export const countError = (counters: Counters, what: string): void => {
  counters.errors += 1;
  if (counters.firstError === '') counters.firstError = what;
};

export type Round = { acks: number; deliveries: number; bytes: number; seconds: number; cost: Cost };

/** The quantile of sorted values; 0 where there are none. */
const quantile = (sorted: ArrayLike<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

export const median = (values: number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
};

export const summarise = (rounds: Round[], counters: Counters): LaneResult => {
  const sorted = Float64Array.from(counters.latencies).sort();
  const deliveries = rounds.reduce((sum, round) => sum + round.deliveries, 0);
  const bytes = rounds.reduce((sum, round) => sum + round.bytes, 0);
  return {
    perSecond: median(rounds.map((round) => round.acks / round.seconds)),
    deliveriesPerSecond: median(rounds.map((round) => round.deliveries / round.seconds)),
    rounds: rounds.map((round) => Math.round(round.acks / round.seconds)),
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    samples: sorted.length,
    bytesPerDelivery: deliveries === 0 ? 0 : Math.round(bytes / deliveries),
    processorMs: median(rounds.map(({ cost, acks }) => cost.processorMs / Math.max(1, acks))),
    databaseMs: median(rounds.map(({ cost, acks }) => cost.databaseMs / Math.max(1, acks))),
    commits: median(rounds.map(({ cost, acks }) => cost.commits / Math.max(1, acks))),
    missing: counters.missing,
    errors: counters.errors,
    closed: counters.closed,
  };
};

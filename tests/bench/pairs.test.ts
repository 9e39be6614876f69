import { expect, it } from 'vitest';
import type { LaneResult } from './jobs.ts';
import { pairRows, ratiosOf } from './pairs.ts';

const lane = (rounds: number[], processorMs = 1): LaneResult => ({
  ...{ perSecond: rounds[1] ?? 0, deliveriesPerSecond: 0, rounds, p50: 1, p95: 2, p99: 3, samples: 3 },
  ...{ bytesPerDelivery: 600, processorMs, databaseMs: 0.2, commits: 0.1, missing: 0, errors: 0, closed: 0 },
});

it('compares each round with the one beside it', () => {
  expect(ratiosOf(lane([110, 55, 220]), lane([100, 50, 200]))).toEqual([1.1, 1.1, 1.1]);
});

it('is not decided by one busy pair, nor by a machine that becomes slower', () => {
  const [sends] = pairRows({
    ...{ name: 'two', beside: 'by one', least: 1 },
    ...{ one: lane([1010, 100, 505]), other: lane([1000, 1000, 500]) },
  });
  expect(sends).toMatchObject({ ratio: '1.01', ok: true });
});

it('misses the target where most pairs miss it, and says what a send took', () => {
  const [sends, range, cost] = pairRows({
    ...{ name: 'two', beside: 'by one', least: 1 },
    ...{ one: lane([900, 1200, 950], 1.5), other: lane([1000, 1000, 1000]) },
  });
  expect(sends).toMatchObject({ ratio: '0.95', ok: false, limit: '1 000 by one' });
  expect(range).toMatchObject({ ratio: '0.90–1.20' });
  expect(cost).toMatchObject({ parley: '1.50 (0.20, 0.10)', limit: '1.00 (0.20, 0.10)', ratio: '1.50' });
});

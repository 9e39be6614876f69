import type { LaneResult, Plan } from './jobs.ts';
import { median } from './load/counters.ts';
import { decimal, latencyOf, type Row, whole } from './report.ts';

/** Many short rounds: each is compared with the one beside it, so that a busy moment spoils one pair and not the figure. */
export const pairPlan = (plan: Plan): Plan => ({
  rounds: 2 * plan.rounds + 1,
  warmMs: plan.warmMs,
  measureMs: Math.min(plan.measureMs, 1500),
});

/** How one side does against the other in each pair of rounds. */
export const ratiosOf = (one: LaneResult, other: LaneResult): number[] =>
  one.rounds.map((perSecond, round) => perSecond / (other.rounds[round] ?? Number.NaN));

type Pair = { name: string; beside: string; least: number; one: LaneResult; other: LaneResult };

/** Sends a second of both sides, by the median of the ratios of the pairs, and the processor time that a send took. */
export const pairRows = ({ name, beside, least, one, other }: Pair): Row[] => {
  const ratios = ratiosOf(one, other);
  const ratio = median(ratios);
  const costOf = ({ processorMs, databaseMs, commits }: LaneResult) =>
    `${decimal(processorMs)} (${decimal(databaseMs)}, ${decimal(commits)})`;
  return [
    {
      name: `${name}: durable sends/s`,
      parley: whole(one.perSecond),
      limit: `${whole(other.perSecond)} ${beside}`,
      ratio: decimal(ratio),
      target: `≥ ${least}`,
      ok: ratio >= least,
      latency: latencyOf(one),
    },
    {
      name: `  the lowest and the highest ratio of ${ratios.length} pairs`,
      parley: '',
      limit: '',
      ratio: `${decimal(Math.min(...ratios))}–${decimal(Math.max(...ratios))}`,
      target: '',
      ok: undefined,
      latency: '',
    },
    {
      name: '  processor ms a send (of it the database, commits)',
      parley: costOf(one),
      limit: costOf(other),
      ratio: decimal(one.processorMs / other.processorMs),
      target: '',
      ok: undefined,
      latency: '',
    },
  ];
};

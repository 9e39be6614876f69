import { setTimeout as sleep } from 'node:timers/promises';
import type { JobResult, LaneName, Plan } from '../jobs.ts';
import type { Meter } from './cost.ts';
import { type Counters, type Round, summarise } from './counters.ts';

/** One thing under load. `stop` resolves when nothing is in flight any more. */
export type Lane = {
  name: LaneName;
  /** The processor time and memory that the server under load has used. */
  meter?: Meter;
  counters: Counters;
  start(): void;
  stop(): Promise<void>;
  close(): Promise<void> | void;
};

const runOnce = async (lane: Lane, plan: Plan, warmMs: number): Promise<Round> => {
  const { counters } = lane;
  lane.start();
  await sleep(warmMs);
  const used = await lane.meter?.read();
  const before = { ...counters, at: performance.now() };
  counters.measuring = true;
  await sleep(plan.measureMs);
  counters.measuring = false;
  const uses = await lane.meter?.read();
  const round = {
    acks: counters.acks - before.acks,
    deliveries: counters.deliveries - before.deliveries,
    bytes: counters.bytes - before.bytes,
    seconds: (performance.now() - before.at) / 1000,
    cost: {
      processorMs: (uses?.processorMs ?? 0) - (used?.processorMs ?? 0),
      databaseMs: (uses?.databaseMs ?? 0) - (used?.databaseMs ?? 0),
      commits: (uses?.commits ?? 0) - (used?.commits ?? 0),
    },
  };
  await lane.stop();
  if (counters.acks === 0) throw new Error(`${lane.name}: nothing was acknowledged. ${counters.firstError}`);
  return round;
};

/** Runs the lanes in turn, several times, so that a busy moment of the machine hits both sides of a ratio. `settle` runs before each: a
 * server still works after its last answer. */
export const runRounds = async (
  lanes: Lane[],
  plan: Plan,
  settle: () => Promise<void> = async () => {},
): Promise<JobResult> => {
  const rounds = new Map<Lane, Round[]>(lanes.map((lane) => [lane, []]));
  for (let round = 0; round < plan.rounds; round++) {
    for (const lane of lanes) {
      await settle();
      const warmMs = round === 0 ? plan.warmMs : Math.min(plan.warmMs, 1000);
      rounds.get(lane)?.push(await runOnce(lane, plan, warmMs));
      await sleep(200);
    }
  }
  const results: JobResult = {};
  for (const [lane, list] of rounds) {
    results[lane.name] = summarise(list, lane.counters);
    await lane.meter?.close();
    await lane.close();
  }
  return results;
};

/** Waits until the condition holds; false after the given time. */
export const until = async (holds: () => boolean, ms: number): Promise<boolean> => {
  const end = performance.now() + ms;
  while (!holds()) {
    if (performance.now() > end) return false;
    await sleep(10);
  }
  return true;
};

/** Runs the work for 0 … count − 1, at most `width` at a time. */
export const inParallel = async (
  count: number,
  width: number,
  work: (index: number, worker: number) => Promise<void>,
): Promise<void> => {
  let next = 0;
  const worker = async (number: number) => {
    while (next < count) await work(next++, number);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, (_, number) => worker(number)));
};

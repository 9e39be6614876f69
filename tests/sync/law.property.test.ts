import { within } from '@parley/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyHistory, playHistory, type Step } from './history.ts';
import { closeClient, connectObserver, createScene, setUpWorld } from './scene.ts';
import { openFully, pause, readLog, serverSeq, verifyLaw } from './verify.ts';

const world = setUpWorld();

const holds = async (steps: Step[]): Promise<void> => {
  const scene = await createScene(world());
  const observer = await connectObserver(world());
  try {
    await openFully(observer, scene);

    await playHistory(scene, observer, steps);
    await pause(20);

    await verifyLaw(scene, observer);
    // A truncate takes the log before it along.
    const log = await readLog(scene, 0);
    const isCut = log.length === 0 && steps.some(({ kind }) => kind === 'truncate');
    if (!isCut) expect(log).toHaveLength(await serverSeq(scene));
  } finally {
    await closeClient(observer);
  }
};

// More histories, for as long as they take: LAW_RUNS=500.
const runs = process.env.LAW_RUNS === undefined ? undefined : Number(process.env.LAW_RUNS);

test('S1 any history, by any network, ends in the state of a fresh client, without a hole in the log', async () => {
  const end = runs === undefined ? Date.now() + 30_000 : Number.POSITIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(anyHistory, async (steps) => {
      // The time limit is ours, not fast-check's: that would let a history which never ends count as one that holds.
      if (Date.now() <= end) await within(holds(steps), 'the end of a history');
    }),
    { numRuns: runs ?? 25 },
  );
}, 3_600_000);

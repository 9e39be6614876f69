import { untilIndexed } from './databases.ts';
import type { Job, JobResult } from './jobs.ts';
import { openAskLane } from './load/ask-lane.ts';
import { openBareLane } from './load/bare-lane.ts';
import { openMeter } from './load/cost.ts';
import { openHistoryLane } from './load/history-lane.ts';
import { runIdle } from './load/idle.ts';
import { openLocationLane } from './load/location-lane.ts';
import { openParleyLane } from './load/parley-lane.ts';
import { openBareRateLane, openParleyRateLane } from './load/rate-lane.ts';
import { runRounds } from './load/rounds.ts';
import { openCommitsLane, openCommitsRateLane, openHistorySqlLane } from './load/sql-lanes.ts';
import { openVotesLane } from './load/votes-lane.ts';
import { runWatched } from './load/watched.ts';

// The load generator: a process of its own, for one job, which comes and is answered over the IPC channel.

const report = (message: Record<string, unknown>): Promise<void> =>
  new Promise((resolve) => process.send?.(message, () => resolve()));

const pause = async (phase: string): Promise<void> => {
  const goOn = new Promise<void>((resolve) => process.once('message', () => resolve()));
  await report({ phase });
  await goOn;
};

const run = async (job: Job): Promise<JobResult> => {
  if (job.kind === 'idle') {
    await runIdle(job, pause);
    return {};
  }
  if (job.kind === 'watched') return { parley: await runWatched(job, pause) };
  if (job.kind === 'commits')
    return runRounds([await openCommitsLane(job.databaseUrl, job.connections)], job.plan);
  if (job.kind === 'search') {
    const { parley: target, user, clients, questions, pages } = job;
    const found = await openAskLane({ name: 'parley', target, user, clients, questions });
    return runRounds(
      [found, await openAskLane({ name: 'bare', target, user, clients, questions: pages })],
      job.plan,
    );
  }
  if (job.kind === 'cost') {
    const parley = await openParleyLane(job.parley, job.shape);
    return runRounds([parley, { ...(await openParleyLane(job.without, job.shape)), name: 'bare' }], job.plan);
  }
  if (job.kind === 'servers') {
    const { parley: servers, alone, databaseUrls } = job;
    const parley = await openParleyLane(servers, job.shape);
    const bare = await openParleyLane(alone, job.shape);
    return runRounds(
      [
        { ...parley, meter: await openMeter(servers, databaseUrls.parley) },
        { ...bare, name: 'bare', meter: await openMeter([alone], databaseUrls.alone) },
      ],
      job.plan,
      async () => {
        for (const url of Object.values(databaseUrls)) await untilIndexed(url);
      },
    );
  }
  if (job.kind === 'crossing') {
    const { from, to, shape, perSecond, isCompared, plan } = job;
    const crossing = await openParleyRateLane(from, shape, perSecond, to);
    if (!isCompared) return runRounds([crossing], plan);
    return runRounds(
      [crossing, { ...(await openParleyRateLane(from, shape, perSecond)), name: 'bare' }],
      plan,
    );
  }
  if (job.kind === 'votes') {
    const { parley: target, shape, places, perSecond } = job;
    return runRounds([await openVotesLane({ target, shape, places, perSecond })], job.plan);
  }
  if (job.kind === 'location') {
    const { parley: target, moving, still, perSecond, everyMs, plan } = job;
    const without = { ...(await openParleyRateLane(target, still, perSecond)), name: 'bare' as const };
    return runRounds([await openLocationLane({ target, shape: moving, perSecond, everyMs }), without], plan);
  }
  if (job.kind === 'history') {
    const cid = `messaging:${job.channelId}`;
    const http = await openHistoryLane(job);
    const meter = await openMeter([job.parley], job.databaseUrl);
    const sql = await openHistorySqlLane(job.databaseUrl, job.clients, cid);
    return runRounds([{ ...http, meter }, sql], job.plan);
  }
  if (job.kind === 'rate') {
    const bare = await openBareRateLane(job.bare, job.shape, job.perSecond);
    const parley = await openParleyRateLane(job.parley, job.shape, job.perSecond);
    const meter = await openMeter([job.parley], job.databaseUrl);
    const bareMeter = await openMeter([job.bare]);
    return runRounds(
      [
        { ...parley, meter },
        { ...bare, meter: bareMeter },
        await openCommitsRateLane(job.databaseUrl, job.perSecond),
      ],
      job.plan,
    );
  }
  const parley = await openParleyLane(job.parley, job.shape);
  return runRounds([parley, await openBareLane(job.bare, job.shape)], job.plan);
};

process.once('message', async (job) => {
  try {
    await report({ result: await run(job as Job) });
  } catch (error) {
    await report({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  process.exit();
});
// A runner that was killed must not leave its generator behind.
process.once('disconnect', () => process.exit());

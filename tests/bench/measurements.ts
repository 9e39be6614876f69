import { measureAgainst } from './against.ts';
import type { Bench, Measured } from './bench.ts';
import { type JobResult, type LaneResult, type ParleyTarget, type Shape, userId } from './jobs.ts';
import { measureLocation } from './location.ts';
import { measurePolls } from './polls.ts';
import { type Memory, runLoad, startBare } from './processes.ts';
import { measureReminders } from './reminders.ts';
import { blemishesOf, decimal, latencyOf, unrestOf, whole } from './report.ts';
import { measureSearch } from './search.ts';
import { measureReaching, measureServers } from './servers.ts';
import { createChannel, createRooms, createUsers } from './setup.ts';
import { measureUploads } from './uploads.ts';

const small: Shape = {
  channelType: 'messaging',
  channelPrefix: 'bench-small',
  rooms: 50,
  watchers: 10,
  senders: 1,
  inFlight: 4,
};
const large: Shape = {
  channelType: 'livestream',
  channelPrefix: 'bench-large',
  rooms: 1,
  watchers: 500,
  senders: 4,
  inFlight: 4,
};
const idleConnections = 2000;
const historyChannel = { type: 'messaging', id: 'bench-history', firstUser: 0, members: 10 };

export const setUp = async (parley: ParleyTarget): Promise<void> => {
  await createUsers(parley, idleConnections);
  await createRooms(parley, small, true);
  await createRooms(parley, large, false);
  await createChannel(parley, historyChannel);
};

const need = (results: JobResult, name: 'parley' | 'bare' | 'sql'): LaneResult => {
  const result = results[name];
  if (result === undefined) throw new Error(`the generator gave no result for ${name}`);
  return result;
};

const atLeast = (value: number, least: number) => ({
  ratio: decimal(value),
  target: `≥ ${least.toFixed(1)}`,
  ok: value >= least,
});

const noTarget = { target: '', ok: undefined };

const measureSmall = async (bench: Bench): Promise<Measured> => {
  const { plan, parley: target, bare: bareTarget, databaseUrl } = bench;
  const commits = need(await runLoad({ kind: 'commits', plan, connections: 32, databaseUrl }), 'sql');
  const results = await runLoad({ kind: 'broadcast', plan, shape: small, parley: target, bare: bareTarget });
  const parley = need(results, 'parley');
  const bare = need(results, 'bare');
  const name = `${small.rooms} channels × ${small.watchers}`;
  return {
    raw: { parley, bare, commits },
    blemishes: [...blemishesOf('small', parley), ...unrestOf('small', bare)],
    rows: [
      {
        name: `${name}: durable sends/s`,
        parley: whole(parley.perSecond),
        limit: `${whole(bare.perSecond)} broadcast`,
        ...atLeast(parley.perSecond / bare.perSecond, 0.2),
        latency: latencyOf(parley),
      },
      {
        name: '  the same against one-row commits/s',
        parley: whole(parley.perSecond),
        limit: `${whole(commits.perSecond)} commits`,
        ratio: decimal(parley.perSecond / commits.perSecond),
        ...noTarget,
        latency: latencyOf(commits),
      },
      {
        name: `${name}: deliveries/s`,
        parley: whole(parley.deliveriesPerSecond),
        limit: `${whole(bare.deliveriesPerSecond)} broadcast`,
        ratio: decimal(parley.deliveriesPerSecond / bare.deliveriesPerSecond),
        ...noTarget,
        latency: '',
      },
    ],
  };
};

const measureLarge = async (bench: Bench): Promise<Measured> => {
  const { plan, parley: target, bare: bareTarget } = bench;
  const results = await runLoad({ kind: 'broadcast', plan, shape: large, parley: target, bare: bareTarget });
  const parley = need(results, 'parley');
  const bare = need(results, 'bare');
  return {
    raw: { parley, bare },
    blemishes: [...blemishesOf('large', parley), ...unrestOf('large', bare)],
    rows: [
      {
        name: `1 channel × ${large.watchers}: deliveries/s`,
        parley: whole(parley.deliveriesPerSecond),
        limit: `${whole(bare.deliveriesPerSecond)} broadcast`,
        ...atLeast(parley.deliveriesPerSecond / bare.deliveriesPerSecond, 1),
        latency: latencyOf(parley),
      },
    ],
  };
};

const perSecond = 200;

const measureRate = async (bench: Bench): Promise<Measured> => {
  const { plan, parley: target, bare: bareTarget, databaseUrl } = bench;
  const both = { parley: target, bare: bareTarget, databaseUrl };
  const job = { kind: 'rate', plan, shape: small, ...both, perSecond } as const;
  const results = await runLoad(job);
  const parley = need(results, 'parley');
  const bare = need(results, 'bare');
  const commits = need(results, 'sql');
  const busy = `rate: the machine was not calm, a bare broadcast took ${decimal(bare.p99, 1)} ms (p99)`;
  const kept = parley.perSecond > 0.98 * perSecond;
  return {
    raw: { parley, bare, commits },
    blemishes: [
      ...blemishesOf('rate', parley),
      ...(kept ? [] : [`rate: only ${whole(parley.perSecond)} of ${perSecond} sends/s were acknowledged`]),
      ...(bare.p99 < 5 ? [] : [busy]),
    ],
    rows: [
      {
        name: `${perSecond} sends/s: p99 ms to the last receiver`,
        parley: decimal(parley.p99, 1),
        limit: `${decimal(bare.p99, 1)} broadcast`,
        ratio: decimal(parley.p99 / bare.p99),
        target: '< 5 ms',
        ok: kept && parley.missing === 0 && parley.p99 < 5,
        latency: latencyOf(parley),
      },
      {
        name: `${perSecond} one-row commits/s: p99 ms`,
        parley: '',
        limit: `${decimal(commits.p99, 1)} commits`,
        ratio: decimal(parley.p99 / commits.p99),
        target: '',
        ok: undefined,
        latency: latencyOf(commits),
      },
      {
        name: `${perSecond} sends/s: processor ms a send (of it the database)`,
        parley: `${decimal(parley.processorMs)} (${decimal(parley.databaseMs)})`,
        limit: `${decimal(bare.processorMs)} broadcast`,
        ratio: bare.processorMs === 0 ? '' : decimal(parley.processorMs / bare.processorMs),
        target: '< 2 ms',
        ok: parley.processorMs < 2,
        latency: '',
      },
      {
        name: `${perSecond} sends/s: commits a send`,
        parley: decimal(parley.commits),
        limit: '',
        ratio: '',
        target: '< 1.2',
        ok: parley.commits < 1.2,
        latency: '',
      },
    ],
  };
};

const measureHistory = async (bench: Bench): Promise<Measured> => {
  const results = await runLoad({
    kind: 'history',
    plan: bench.plan,
    clients: 16,
    prefill: 200,
    channelId: historyChannel.id,
    userId: userId(historyChannel.firstUser),
    parley: bench.parley,
    databaseUrl: bench.databaseUrl,
  });
  const parley = need(results, 'parley');
  const sql = need(results, 'sql');
  const common = { parley: whole(parley.perSecond), limit: `${whole(sql.perSecond)} bare SQL` };
  return {
    raw: { parley, sql },
    blemishes: [
      ...blemishesOf('history', parley),
      ...blemishesOf('history, bare SQL', sql),
      ...unrestOf('history', sql),
    ],
    rows: [
      {
        name: 'newest 30 messages: queries/s',
        ...common,
        ratio: '',
        target: '≥ 1 300/s',
        ok: parley.perSecond >= 1300,
        latency: latencyOf(parley),
      },
      {
        name: '  the same against bare SQL',
        ...common,
        ...atLeast(parley.perSecond / sql.perSecond, 0.3),
        latency: latencyOf(sql),
      },
      {
        name: '  processor ms a query (of it the database)',
        parley: `${decimal(parley.processorMs)} (${decimal(parley.databaseMs)})`,
        limit: '',
        ratio: '',
        ...noTarget,
        latency: '',
      },
    ],
  };
};

const growthOf = (before: Memory | undefined, after: Memory | undefined) => {
  if (before === undefined || after === undefined) throw new Error('the memory was not measured');
  const each = (bytes: number) => bytes / idleConnections / 1024;
  const heap = after.heapUsed + after.external - before.heapUsed - before.external;
  return { rssKib: each(after.rss - before.rss), heapKib: each(heap), before, after };
};

const measureIdle = async (bench: Bench): Promise<Measured> => {
  const bareServer = await startBare();
  const parleyServer = await bench.startFreshParley();
  const seen: Record<string, Memory> = {};
  try {
    await runLoad(
      {
        kind: 'idle',
        connections: idleConnections,
        warmConnections: 200,
        parley: parleyServer.target,
        bare: bareServer.target,
      },
      async (phase) => {
        seen[phase] = await (phase.startsWith('parley') ? parleyServer : bareServer).memory();
      },
    );
  } finally {
    await Promise.all([parleyServer.stop(), bareServer.stop()]);
  }
  const parley = growthOf(seen['parley:before'], seen['parley:after']);
  const bare = growthOf(seen['bare:before'], seen['bare:after']);
  return {
    raw: { parley, bare },
    blemishes: [],
    rows: [
      {
        name: 'idle connection: KiB of resident memory',
        parley: decimal(parley.rssKib, 1),
        limit: `${decimal(bare.rssKib, 1)} bare ws`,
        ratio: decimal(parley.rssKib / bare.rssKib),
        target: '≤ 16 KiB',
        ok: parley.rssKib <= 16,
        latency: '',
      },
      {
        name: '  KiB of heap and external memory',
        parley: decimal(parley.heapKib, 1),
        limit: `${decimal(bare.heapKib, 1)} bare ws`,
        ratio: decimal(parley.heapKib / bare.heapKib),
        ...noTarget,
        latency: '',
      },
    ],
  };
};

/** The measurements, in the order in which they run. */
export const measurements: Record<string, (bench: Bench) => Promise<Measured>> = {
  small: measureSmall,
  large: measureLarge,
  rate: measureRate,
  history: measureHistory,
  idle: measureIdle,
  polls: measurePolls,
  location: measureLocation,
  reminders: measureReminders,
  search: measureSearch,
  uploads: measureUploads(small),
  servers: measureServers(small),
  reach: measureReaching(small),
  against: measureAgainst(small),
};

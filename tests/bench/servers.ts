import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startNats } from '@parley/testkit';
import pg from 'pg';
import type { Bench, Measured } from './bench.ts';
import { withDatabase } from './databases.ts';
import type { JobResult, LaneResult, ParleyTarget, Plan, Shape } from './jobs.ts';
import { watchedId, watchedPhases } from './load/watched.ts';
import { pairPlan, pairRows } from './pairs.ts';
import { runLoad, type Server } from './processes.ts';
import { measureReach, type Reach } from './reach.ts';
import { blemishesOf, decimal, latencyOf, type Row, whole } from './report.ts';
import { createChannel, createRooms, createUsers } from './setup.ts';

const perSecond = 200;
const busyPerSecond = 1000;
const watched = { channels: 10_000, users: 100, perSecond: 500 };
const quietMs = 3000;
const sendingMs = 8000;
const reachPlan: Plan = { rounds: 1, warmMs: 1000, measureMs: 12_000 };

/** The watchers of a room are at one server: what is measured is the way there. */
const crossing = (shape: Shape): Shape => ({ ...shape, channelPrefix: 'bench-crossing', watchers: 1 });

type Pair = { first: Server<ParleyTarget>; second: Server<ParleyTarget>; databaseUrl: string };

/** Runs with two servers on a database of their own, with the rooms of the shapes. */
const withPair = <T>(
  bench: Bench,
  { name, busUrl, shapes }: { name: string; busUrl: string | undefined; shapes: readonly Shape[] },
  run: (pair: Pair) => Promise<T>,
): Promise<T> =>
  withDatabase(bench, name, async (databaseUrl) => {
    const first = await bench.startParleyOn(databaseUrl, { busUrl });
    const second = await bench.startParleyOn(databaseUrl, { busUrl });
    try {
      await createUsers(first.target, Math.max(...shapes.map(({ rooms, watchers }) => rooms * watchers)));
      for (const shape of shapes) await createRooms(first.target, shape, true);
      return await run({ first, second, databaseUrl });
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
  });

const need = (results: JobResult, name: 'parley' | 'bare'): LaneResult => {
  const result = results[name];
  if (result === undefined) throw new Error(`the generator gave no result for ${name}`);
  return result;
};

/** Milliseconds of processor time of all threads; 0 elsewhere than on Linux. */
const usedMs = (pid: number): number => {
  try {
    const tasks = readdirSync(`/proc/${pid}/task`);
    const read = (task: string) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    return tasks.reduce((sum, task) => sum + read(task), 0) / 1e6;
  } catch {
    return 0;
  }
};

/** The processor time that each process used a second, in milliseconds. */
const useOf = async (pids: readonly number[], ms: number): Promise<number[]> => {
  const before = pids.map(usedMs);
  await sleep(ms);
  return pids.map((pid, at) => ((usedMs(pid) - (before[at] ?? 0)) * 1000) / ms);
};

type Cost = { acknowledged: LaneResult; quiet: number[]; sending: number[] };

/** The first channel is made by a call; the others are copies of its rows, each with one of the users as its member. */
const createWatched = async ({ first, databaseUrl }: Pair): Promise<void> => {
  const copies = (table: string, fields: string) =>
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(one) || jsonb_build_object(${fields}))).*
     from ${table} one cross join generate_series(1, ${watched.channels - 1}) n where one.cid = 'messaging:${watchedId(0)}'`;
  const cid = `'cid', 'messaging:${watchedId('')}' || n`;
  await createUsers(first.target, watched.users);
  await createChannel(first.target, { type: 'messaging', id: watchedId(0), firstUser: 0, members: 1 });
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(copies('channels', `${cid}, 'id', '${watchedId('')}' || n`));
  await client.query(copies('members', `${cid}, 'user_id', 'bench-user-' || n % ${watched.users}`));
  await client.end();
};

const measureWatched = async (pair: Pair): Promise<Cost> => {
  const { first, second } = pair;
  await createWatched(pair);
  const pids = [first.pid, second.pid];
  const seen: Record<string, number[]> = {};
  const results = await runLoad({ kind: 'watched', ...watched, parley: first.target }, async (phase) => {
    seen[phase] = await useOf(pids, phase === watchedPhases.quiet ? quietMs : sendingMs);
  });
  const { quiet = [], sending = [] } = seen;
  return { acknowledged: need(results, 'parley'), quiet, sending };
};

const measureReachUnderLoad = async ({ first, second }: Pair, shape: Shape) => {
  const load = runLoad({
    ...{ kind: 'crossing', plan: reachPlan, shape, perSecond: busyPerSecond, isCompared: false },
    ...{ from: first.target, to: second.target },
  } as const);
  const [results, reach] = await Promise.all([
    load,
    sleep(3000).then(() => measureReach(first.target, second.target)),
  ]);
  return { load: need(results, 'parley'), reach };
};

const crossingRow = (bus: string, results: JobResult, mostMs: number): Row => {
  const [there, here] = [need(results, 'parley'), need(results, 'bare')];
  const added = there.p50 - here.p50;
  return {
    name: `${perSecond} sends/s to a receiver at the other server by ${bus}: p50 ms more`,
    parley: decimal(added),
    limit: `${decimal(here.p50)} at the same`,
    ratio: decimal(there.p50 / here.p50),
    target: `< ${mostMs} ms`,
    ok: added < mostMs && there.missing === 0,
    latency: latencyOf(there),
  };
};

const watchedRow = ({ acknowledged, quiet, sending }: Cost): Row => {
  const [first = 0, second = 0] = sending.map((ms, at) => ms - (quiet[at] ?? 0));
  const share = (100 * second) / first;
  return {
    name: `${whole(watched.channels)} channels watched at one, none at the other: % of its processor time there`,
    parley: decimal(share),
    limit: `${decimal(first, 0)} ms/s at ${whole(acknowledged.perSecond)} sends/s`,
    ratio: '',
    target: '< 2 %',
    ok: share < 2,
    latency: '',
  };
};

const reachRow = (load: LaneResult, [what, ms]: [string, number[]]): Row => {
  const most = Math.max(...ms);
  return {
    name: `${what} reaches the other server: most ms of ${ms.length}`,
    parley: whole(most),
    limit: `at ${whole(load.perSecond)} sends/s`,
    ratio: '',
    target: '< 1 000 ms',
    ok: most < 1000,
    latency: '',
  };
};

/** Runs with a NATS of its own. */
const withNats = async <T>(run: (url: string) => Promise<T>): Promise<T> => {
  const nats = await startNats();
  if ('missing' in nats) throw new Error(nats.missing);
  try {
    return await run(nats.url);
  } finally {
    await nats.kill();
  }
};

/** Two servers on one database, by NATS and by the notifications of the database: sends, and the way from one to the other. */
export const measureServers = (shape: Shape) => (bench: Bench) =>
  withNats(async (busUrl): Promise<Measured> => {
    const plan = { ...bench.plan, measureMs: Math.min(bench.plan.measureMs, 2000) };
    const crossed = crossing(shape);
    const cross = ({ first, second }: Pair) =>
      runLoad({
        ...{ kind: 'crossing', plan, shape: crossed, perSecond, isCompared: true },
        ...{ from: first.target, to: second.target },
      } as const);
    const onNats = { name: 'bench_nats', busUrl, shapes: [shape, crossed] };
    const byNats = await withPair(bench, onNats, async (pair) => ({
      sends: await runLoad({
        ...{ kind: 'servers', plan: pairPlan(bench.plan), shape, alone: bench.parley },
        parley: [pair.first.target, pair.second.target],
        databaseUrls: { parley: pair.databaseUrl, alone: bench.databaseUrl },
      }),
      cross: await cross(pair),
    }));
    const onNotify = { name: 'bench_notify', busUrl: undefined, shapes: [crossed] };
    const byNotify = await withPair(bench, onNotify, cross);
    const { sends } = byNats;
    return {
      raw: { byNats, byNotify },
      blemishes: [
        ...blemishesOf('servers', need(sends, 'parley')),
        ...blemishesOf('servers, one alone', need(sends, 'bare')),
        ...blemishesOf('servers, NATS', need(byNats.cross, 'parley')),
        ...blemishesOf('servers, notify', need(byNotify, 'parley')),
      ],
      rows: [
        ...pairRows({
          ...{ name: '2 servers by NATS', beside: 'by one alone', least: 1 },
          ...{ one: need(sends, 'parley'), other: need(sends, 'bare') },
        }),
        crossingRow('NATS', byNats.cross, 1),
        crossingRow('notify', byNotify, 5),
      ],
    };
  });

/** Two servers by NATS: what one does for channels that only the other's connections watch, and how fast changes reach it. */
export const measureReaching = (shape: Shape) => (bench: Bench) =>
  withNats(async (busUrl): Promise<Measured> => {
    const pairing = { name: 'bench_reach', busUrl, shapes: [crossing(shape)] };
    const { busy, cost } = await withPair(bench, pairing, async (pair) => ({
      busy: await measureReachUnderLoad(pair, crossing(shape)),
      cost: await measureWatched(pair),
    }));
    const reached = Object.entries<number[]>(busy.reach satisfies Reach);
    return {
      raw: { busy, cost },
      blemishes: blemishesOf('reach', busy.load),
      rows: [watchedRow(cost), ...reached.map((one) => reachRow(busy.load, one))],
    };
  });

import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@parley/server';
import pg from 'pg';
import type { Bench, Measured } from './bench.ts';
import { untilIndexed } from './databases.ts';
import type { Plan } from './jobs.ts';
import { measureList } from './list.ts';
import { measureIngest } from './measure-ingest.ts';
import { measurements, setUp } from './measurements.ts';
import { startBare, startParley } from './processes.ts';
import { table } from './report.ts';

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, '.cache');

const full: Plan = { rounds: 3, warmMs: 2000, measureMs: 4000 };
const quick: Plan = { rounds: 1, warmMs: 1000, measureMs: 2000 };
/** One measurement that takes longer than this hangs. */
const longestMs = 10 * 60_000;

/** These need neither server nor database. */
const ofClient: Record<string, (plan: Plan) => Promise<Measured>> = {
  ingest: measureIngest,
  list: measureList,
};
const names = [...Object.keys(measurements), ...Object.keys(ofClient)];

const readArgs = () => {
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      server: { type: 'string', default: join(root, 'packages/server/src/main.ts') },
      against: { type: 'string' },
    },
  });
  const against = values.against === undefined ? undefined : resolve(values.against);
  const usual = against === undefined ? names.filter((name) => name !== 'against') : ['against'];
  const only = values.only?.split(',') ?? usual;
  const unknown = only.filter((name) => !names.includes(name));
  if (unknown.length > 0) throw new Error(`--only knows ${names.join(', ')}, not ${unknown.join(', ')}`);
  const main = resolve(values.server);
  return { plan: values.quick ? quick : full, quick: values.quick, only, main, against };
};

const durabilityOf = async (databaseUrl: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'server_version') order by 1",
  );
  await client.end();
  return rows.map(({ name, setting }) => `${name} ${setting}`).join(', ');
};

/** Waits until the messages of the last measurement are indexed and writes out its pages, so that the next one does not pay for them. */
const settle = async (databaseUrl: string): Promise<void> => {
  await untilIndexed(databaseUrl);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('checkpoint');
  await client.end();
};

let ending = false;

/** Stops everything that was started, in reverse order. */
const stops: (() => Promise<void>)[] = [];
const stopAll = async (): Promise<void> => {
  for (const stop of stops.splice(0).reverse()) await stop();
};

const startAll = async (main: string) => {
  mkdirSync(cache, { recursive: true });
  // The folder is not the system's temporary one: where that is memory, fsync costs nothing and the figures mean nothing.
  const folder = mkdtempSync(join(cache, 'bench-'));
  stops.push(async () => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  stops.push(postgres.stop);
  const bare = await startBare();
  stops.push(bare.stop);
  const startParleyOn: Bench['startParleyOn'] = (databaseUrl, { busUrl, main: other = main } = {}) =>
    startParley({
      ...{ main: other, dataDir: join(folder, 'parley'), databaseUrl },
      ...(busUrl === undefined ? {} : { busUrl }),
    });
  const startFreshParley = () => startParleyOn(postgres.url);
  const parley = await startFreshParley();
  stops.push(parley.stop);
  return {
    databaseUrl: postgres.url,
    bare: bare.target,
    parley: parley.target,
    startFreshParley,
    startParleyOn,
    cache,
  };
};

type Args = ReturnType<typeof readArgs>;

const prepare = async ({ main, plan, against }: Args): Promise<{ bench: Bench; durability: string }> => {
  const bench = { ...(await startAll(main)), plan, against };
  const durability = await durabilityOf(bench.databaseUrl);
  console.log(`PostgreSQL: ${durability}`);
  await setUp(bench.parley);
  return { bench, durability };
};

const measureOne = async (name: string, bench: Bench): Promise<Measured | undefined> => {
  await settle(bench.databaseUrl);
  return measurements[name]?.(bench);
};

const report = (measured: Record<string, Measured>): void => {
  const all = Object.values(measured);
  console.log(`\n${table(all.flatMap(({ rows }) => rows))}`);
  for (const line of all.flatMap(({ blemishes }) => blemishes)) console.log(`! ${line}`);
};

const main = async (): Promise<void> => {
  const args = readArgs();
  const started = performance.now();
  console.log(`Node ${process.version}, ${availableParallelism()} cores`);
  const prepared = args.only.some((name) => name in measurements) ? await prepare(args) : undefined;
  const measured: Record<string, Measured> = {};
  for (const name of args.only) {
    console.log(`measuring ${name} …`);
    watchdog.refresh();
    try {
      const result = await (prepared && name in measurements
        ? measureOne(name, prepared.bench)
        : ofClient[name]?.(args.plan));
      if (result !== undefined) measured[name] = result;
    } catch (error) {
      if (ending) return report(measured);
      process.exitCode = 1;
      console.error(`${name} failed: ${error instanceof Error ? error.message : error}`);
    }
  }
  report(measured);
  console.log(
    `\n${Math.round((performance.now() - started) / 1000)} s; how to read this: tests/bench/README.md`,
  );
  const record = {
    at: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    durability: prepared?.durability,
    quick: args.quick,
    server: relative(root, args.main),
    against: args.against && relative(root, args.against),
    measured,
  };
  appendFileSync(join(cache, 'bench.json'), `${JSON.stringify(record)}\n`);
};

const endEarly = (why: string) => {
  // npm passes a signal on that the whole group has got already: the second one may not end this process before PostgreSQL.
  if (ending) return;
  ending = true;
  console.error(`\nended early: ${why}`);
  process.exitCode = 1;
  stopAll().finally(() => process.exit());
};
process.on('SIGINT', () => endEarly('interrupted'));
process.on('SIGTERM', () => endEarly('terminated'));
const watchdog = setTimeout(
  () => endEarly(`a measurement took more than ${longestMs / 60_000} minutes`),
  longestMs,
);

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  console.error(error instanceof Error ? error.message : error);
} finally {
  clearTimeout(watchdog);
  await stopAll();
}

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readArguments, StartRefused } from './cluster/arguments.ts';
import { Backends } from './cluster/backends.ts';
import { startBalancer } from './cluster/balancer.ts';
import { startBus } from './cluster/bus.ts';
import { clusterWelcome } from './cluster/messages.ts';
import { checkPlaces, placesOf } from './cluster/places.ts';
import { Servers } from './cluster/servers.ts';
import { type Environment, readEnvironment } from './start/environment.ts';
import { explain } from './start/messages.ts';
import { buildServer } from './start/server-build.ts';
import { BuildFailed, buildWeb } from './start/web-build.ts';

const root = join(import.meta.dirname, '..');
const log = (line: string): void => console.log(line);

type Stop = () => Promise<void> | void;
/** The parts that have been started, in order. They are stopped in the reverse order, also when a later part does not start. */
const stops: Stop[] = [];
let stopping: Promise<void> | undefined;
const stopAll = (): Promise<void> => {
  stopping ??= (async () => {
    for (const stop of stops.toReversed()) await stop();
  })();
  return stopping;
};

/** The settings of a server. A folder of its own: a single server on the same data would not use a NATS that it does not know of. */
const clusterEnvironment = (env: Environment): Environment => ({
  PARLEY_DATA: join(root, '.parley-cluster'),
  // The balancer is on this machine, and so may its callers be.
  TRUST_PROXY: 'loopback,1',
  LOG_LEVEL: 'warn',
  ...env,
});

/** Reads the configuration once for all: its problems are printed once, and the first start makes the key and the secret. */
const prepare = async (env: Environment): Promise<void> => {
  await buildWeb(root, log);
  const { readConfig }: typeof import('@parley/server') = await import(
    pathToFileURL(await buildServer(root)).href
  );
  const { apiKey, apiSecret, secretIsNew, warnings } = readConfig(env);
  for (const line of warnings) console.error(`Warning: ${line}`);
  if (!secretIsNew) return;
  log(`API key    ${apiKey}`);
  log(`API secret ${apiSecret}   (shown once; kept in the data folder)`);
};

const openBus = async (env: Environment): Promise<{ url: string } | { missing: string }> => {
  if (env.BUS_URL !== undefined) return { url: env.BUS_URL.replace(/\/\/[^@/]*@/, '//') };
  const bus = await startBus(log);
  if ('url' in bus) stops.push(bus.stop);
  return bus;
};

const killEvery = (servers: Servers, seconds: number): Stop => {
  const timer = setInterval(() => {
    const name = servers.kill();
    if (name !== undefined) log(`Server ${name} is killed.`);
  }, seconds * 1000);
  return () => clearInterval(timer);
};

const start = async (): Promise<void> => {
  const { killSeconds } = readArguments(process.argv.slice(2));
  const given = clusterEnvironment(readEnvironment(root, process.env));
  const places = placesOf(given);
  await checkPlaces(places);
  await prepare(given);
  const bus = await openBus(given);
  const env = 'url' in bus ? { BUS_URL: bus.url, ...given } : given;
  const backends = new Backends(places.servers);
  stops.push(() => backends.stop());
  backends.start();
  const { host } = places;
  const spreading = await startBalancer({ backends, host, port: places.spreading, isSticky: false });
  stops.push(spreading.stop);
  const sticky = await startBalancer({ backends, host, port: places.sticky, isSticky: true });
  stops.push(sticky.stop);
  const servers = new Servers({ root, env, backends, log, random: Math.random });
  stops.push(() => servers.stop());
  log('Starting three servers …');
  await servers.start();
  if (killSeconds !== undefined) stops.push(killEvery(servers, killSeconds));
  const urls = { spreadingUrl: spreading.url, stickyUrl: sticky.url };
  log(clusterWelcome({ ...urls, servers: places.servers, bus, env, killSeconds }));
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    void stopAll().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });

try {
  await start();
} catch (error) {
  // A signal during the start has stopped what was to come.
  if (stopping === undefined) {
    const isExplained = error instanceof StartRefused || error instanceof BuildFailed;
    console.error(isExplained ? error.message : (explain(error, process.env) ?? error));
    await stopAll();
    process.exit(1);
  }
}

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument, times } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import { createAuthenticator } from './auth/authenticator.ts';
import { createFailedSignIns } from './auth/failed-sign-ins.ts';
import { createTokens } from './auth/tokens.ts';
import { createLocalBus } from './bus/bus.ts';
import type { Link } from './bus/link.ts';
import { NatsLink } from './bus/nats-link.ts';
import { CallBudgets } from './cluster/call-budgets.ts';
import { Cluster } from './cluster/cluster.ts';
import { NotifyLink } from './cluster/notify-link.ts';
import { deploymentId } from './cluster/store.ts';
import type { Config } from './config/config.ts';
import { awaitDatabase, migrationRefused } from './db/await-database.ts';
import { createDatabaseClock } from './db/database-clock.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { createPools, type Pools } from './db/pool.ts';
import type { ChannelRow } from './db/rows.ts';
import { demoRoutes } from './demo/demo.ts';
import { seedDemo } from './demo/seed.ts';
import { createFeatures } from './features/all.ts';
import { AddressCap, UserCap } from './gateway/caps.ts';
import { createDraining } from './gateway/draining.ts';
import { createHello } from './gateway/hello.ts';
import { createLogReader } from './gateway/log-reader.ts';
import { LongPoll } from './gateway/long-poll.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { createSocketGateway } from './gateway/socket.ts';
import { createSync } from './gateway/sync.ts';
import { createHttp } from './http/app.ts';
import { docsRoutes } from './http/docs.ts';
import { healthRoutes } from './http/health.ts';
import { createMetrics } from './http/metrics.ts';
import { createRoutes } from './http/route.ts';
import { addServerMetrics } from './http/server-metrics.ts';
import { serveWeb } from './http/web.ts';
import { Hub } from './hub/hub.ts';
import { NamedConnections } from './hub/named-connections.ts';
import { createKernel, type Kernel } from './kernel/kernel.ts';
import { startRetention } from './kernel/retention.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { createAddressOf } from './lib/proxies.ts';
import { createStops, type Stops } from './lib/stops.ts';
import { TraceExport } from './lib/trace-export.ts';
import { createTracer, noTracer, type Tracer } from './lib/tracing.ts';
import { openStorage } from './storage/open-storage.ts';
import type { Storage } from './storage/storage.ts';

export type Overrides = {
  /** In place of all clocks, for tests that move the time by hand. */
  clock?: Clock;
  /** The clock of the machine, which the server moves to the time of the database. */
  machineClock?: Clock;
  webDir?: string;
  storage?: Storage;
};
export type ParleyServer = { url: string; app: FastifyInstance; kernel: Kernel; stop(): Promise<void> };

const defaultWebDir = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url));
const version = '0.2.0';
const sweepMs = 5000;
/** How long a call under way may take to be answered once the server stops. */
const answerGraceMs = 5000;

/** The whole server. Its parts are stopped in the reverse order of their start, also when a later part fails to start. */
export const startServer = async (config: Config, overrides: Overrides = {}): Promise<ParleyServer> => {
  const stops = createStops();
  try {
    return await start(config, overrides, stops);
  } catch (error) {
    await stops.run().catch(() => undefined);
    throw error;
  }
};

const openClock = ({ clock, machineClock = systemClock }: Overrides) =>
  clock ? { clock, follow: async () => () => undefined } : createDatabaseClock(machineClock);

type Opening = { stops: Stops; follow: ReturnType<typeof openClock>['follow'] };

const openDatabase = async (
  config: Config,
  app: FastifyInstance,
  { stops, follow }: Opening,
): Promise<Pools> => {
  const warn = (line: string) => app.log.warn(line);
  const { databaseUrl, dataDir, databaseWaitSeconds: seconds } = config;
  if (databaseUrl !== undefined) await awaitDatabase(databaseUrl, { seconds, log: warn });
  const embedded = databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir, warn }) : undefined;
  if (embedded) stops.add(embedded.stop);
  const pools = createPools(
    embedded?.url ?? databaseUrl ?? '',
    (error) => app.log.error({ reason: error.message }, 'database connection lost'),
    { replicaUrls: config.databaseReplicaUrls ?? [], warn: (details, text) => app.log.warn(details, text) },
  );
  stops.add(pools.end);
  const applied = await migrate(pools.pool, warn).catch((error: unknown) => {
    throw migrationRefused(error, databaseUrl);
  });
  if (applied.length > 0) app.log.info({ applied }, 'database migrated');
  stops.add(await follow(pools.db));
  return pools;
};

/** The ways to the other servers: NATS where the configuration names it, and the database's notifications. */
const openLinks = async (
  { bus, apiSecret: secret }: Config,
  { pools, clock, log }: Pick<Kernel, 'pools' | 'clock' | 'log'>,
): Promise<{ link: Link; database: Link }> => {
  const warn = (details: object, text: string) => log.warn(details, text);
  const database = new NotifyLink({ connect: pools.connectPipelined, clock, warn });
  if (!bus) return { link: database, database };
  const deployment = await deploymentId(pools.db);
  return { link: new NatsLink({ config: bus, deployment, secret, now: clock.now, warn }), database };
};

/** Where the configuration says who takes traces, each call leaves one. */
const openTraces = (config: Config): { tracer: Tracer; traces?: TraceExport } => {
  const { tracing, serverName: instance } = config;
  if (!tracing) return { tracer: noTracer };
  const traces = new TraceExport({ config: tracing, instance, version });
  return { tracer: createTracer(tracing.ratio, (span) => traces.add(span)), traces };
};

const startSweeping = (hub: Hub): (() => void) => {
  const beat = setInterval(() => hub.sweep(true), times.serverHeartbeat);
  const sweep = setInterval(() => hub.sweep(false), sweepMs);
  return () => {
    clearInterval(beat);
    clearInterval(sweep);
  };
};

/** Takes nothing new, answers what is under way, and then ends the connections. */
const closeHttp = async (app: FastifyInstance): Promise<void> => {
  const idle = setInterval(() => app.server.closeIdleConnections(), 20);
  const late = setTimeout(() => app.server.closeAllConnections(), answerGraceMs);
  await app.close().finally(() => {
    clearInterval(idle);
    clearTimeout(late);
  });
};

const addWeb = async (app: FastifyInstance, config: Config, dir: string): Promise<void> => {
  const serverUrl = `${config.publicUrl ?? ''}/api`;
  docsRoutes(app, () => openApiDocument({ serverUrl, version }));
  const { apiKey, demo, mapTiles, signInUrl } = config;
  if (existsSync(dir) || demo) await serveWeb(app, { dir, apiKey, demo, mapTiles, signInUrl });
};

const listen = async (app: FastifyInstance, config: Config): Promise<string> => {
  await app.listen({ port: config.port, host: config.host });
  const bound = app.server.address();
  if (bound === null || typeof bound === 'string') throw new Error('The server listens on no port');
  const { address, port, family } = bound;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return config.publicUrl ?? `http://${host}:${port}`;
};

/** How many connections may be open at a time; of an address, sockets and long-polls are counted together. */
const connectionCaps = ({ config, others: { limits } }: Pick<Kernel, 'config' | 'others'>) => ({
  users: new UserCap(config.rateLimits ? config.socketsPerUser : Number.POSITIVE_INFINITY, limits),
  addresses: new AddressCap(config.rateLimits ? config.socketsPerAddress : Number.POSITIVE_INFINITY, limits),
});

/** The composition root: the order of lines is the order of start. */
const start = async (config: Config, overrides: Overrides, stops: Stops): Promise<ParleyServer> => {
  const metrics = createMetrics();
  const { tracer, traces } = openTraces(config);
  const { clock, follow } = openClock(overrides);
  const budgets = new CallBudgets(clock);
  const { app, direct } = await createHttp(config, { metrics, budgets, tracer });
  if (traces) stops.add(traces.start((reason) => app.log.warn({ reason }, 'nobody takes the traces')));
  const pools = await openDatabase(config, app, { stops, follow });
  const { log } = app;
  const local = createLocalBus((error) => log.error({ err: error }, 'a listener failed'));
  const links = await openLinks(config, { pools, clock, log });
  const cluster = new Cluster({ pools, clock, log, local, ...links });
  if (config.rateLimits) cluster.limits.share(budgets);
  const kernel = createKernel({ config, clock, log, pools, tracer, bus: cluster.bus, others: cluster });

  const hub = new Hub(kernel);
  const storage = overrides.storage ?? openStorage(config.storage);
  const tokens = await createTokens(config.apiSecret, clock);
  const { list: features, services } = createFeatures({ kernel, hub, storage, tokens });
  // Features publish what they hold back when they stop.
  stops.add(() => cluster.stop());
  stops.add(features.stop);
  const { users, apps, reads, preferences, access, messaging, channels } = services;
  const { groupCommit, hydrate } = messaging;
  const publicChannel = (row: ChannelRow) => channels.states.publicChannel(kernel.db, row);
  const readLog = createLogReader({ kernel, hydrate, users: users.cache, publicChannel });
  kernel.logReading.read = (payloads) => readLog(payloads);
  await cluster.start(kernel.logReading);
  await features.ensure();
  if (config.demo) await seedDemo(kernel);

  const failedSignIns = config.rateLimits ? createFailedSignIns(clock, cluster.limits) : undefined;
  const { apiKey } = config;
  const authenticator = createAuthenticator({
    ...{ apiKey, tokens, users, apps, failedSignIns },
    now: kernel.now,
    catchUp: () => cluster.catchUp(),
  });
  const { users: userCap, addresses } = connectionCaps(kernel);
  const sayHello = createHello({ authenticator, users, reads, preferences, hub, userCap });
  const connections = new NamedConnections({ hub, others: cluster });
  const longPoll = new LongPoll({ kernel, hub, connections, sayHello, addresses });
  const addressOf = createAddressOf(config.trustProxy);
  const sockets = createSocketGateway({ kernel, hub, sayHello, addressOf, addresses });

  const findUser = (id: string) => users.cache.get(kernel.db, id);
  const routes = createRoutes({ app, direct, authenticator, findUser, connections });
  features.addRoutes(routes, { app, authenticator });
  gatewayRoutes(routes, { authenticator, longPoll, sync: createSync(kernel, access, readLog) });
  if (config.demo) demoRoutes(routes, kernel, services, tokens);
  addServerMetrics({ kernel, hub, cluster, groupCommit, traces, metrics });
  const draining = createDraining({ kernel, hub, sockets, longPoll, server: app.server, cluster });
  healthRoutes(app, { kernel, metrics, isDraining: draining.isDraining });
  await addWeb(app, config, overrides.webDir ?? defaultWebDir);
  app.server.on('upgrade', sockets.upgrade);

  stops.add(startSweeping(hub));
  stops.add(await startRetention({ db: pools.background, log: kernel.log }));
  stops.add(features.startJobs());
  stops.add(() => closeHttp(app));
  const url = await listen(app, config);
  stops.add(() => hub.stop());
  stops.add(() => longPoll.stop());
  stops.add(sockets.stop);
  stops.add(draining.run);
  return { url, app, kernel, stop: stops.run };
};

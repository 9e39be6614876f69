import { existsSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { openApiDocument, times } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import { createAuthenticator } from './auth/authenticator.ts';
import { createTokens } from './auth/tokens.ts';
import { type Bus, createLocalBus } from './bus/bus.ts';
import type { Config } from './config.ts';
import { startEmbeddedPostgres } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { createPools } from './db/pool.ts';
import { createDemo } from './demo/demo.ts';
import { startRetention } from './events/retention.ts';
import { createFeatures } from './features/all.ts';
import { createFlusher } from './gateway/flusher.ts';
import { createHello } from './gateway/hello.ts';
import { createHub } from './gateway/hub.ts';
import { createLongPoll } from './gateway/long-poll.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { createSocketGateway } from './gateway/socket.ts';
import { createSync } from './gateway/sync.ts';
import { createHttp } from './http/app.ts';
import { docsRoutes } from './http/docs.ts';
import { healthRoutes } from './http/health.ts';
import { createRoutes } from './http/route.ts';
import { serveWeb } from './http/web.ts';
import { createKernel, type Kernel } from './kernel.ts';
import { type Clock, systemClock } from './lib/clock.ts';

export type Overrides = { clock?: Clock; bus?: Bus; webDir?: string };
export type ParleyServer = { url: string; app: FastifyInstance; kernel: Kernel; stop(): Promise<void> };

const defaultWebDir = fileURLToPath(new URL('../../../apps/web/dist', import.meta.url));

/** The whole server, in order of start. What starts is stopped in reverse. */
export const startServer = async (config: Config, overrides: Overrides = {}): Promise<ParleyServer> => {
  const stops: (() => void | Promise<void>)[] = [];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    return await start(config, overrides, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
};

const openDatabase = async (config: Config, app: FastifyInstance, stops: (() => void | Promise<void>)[]) => {
  const embedded =
    config.databaseUrl === undefined ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : undefined;
  if (embedded) stops.push(embedded.stop);
  const pools = createPools(embedded?.url ?? config.databaseUrl ?? '', (error) =>
    app.log.error({ err: error }, 'database connection lost'),
  );
  stops.push(pools.end);
  const applied = await migrate(pools.pool);
  if (applied.length > 0) app.log.info({ applied }, 'database migrated');
  return pools;
};

const start = async (
  config: Config,
  overrides: Overrides,
  stops: (() => void | Promise<void>)[],
  stop: () => Promise<void>,
): Promise<ParleyServer> => {
  const app = await createHttp(config);
  const pools = await openDatabase(config, app, stops);
  const clock = overrides.clock ?? systemClock;
  const bus = overrides.bus ?? createLocalBus((error) => app.log.error({ err: error }, 'a listener failed'));
  const kernel = createKernel({ config, clock, log: app.log, pools, bus });
  const tokens = await createTokens(config.apiSecret, clock);

  const hub = createHub(kernel);
  const features = createFeatures(kernel, hub);
  await features.ensure();
  stops.push(features.stop);
  const authenticator = createAuthenticator({
    apiKey: config.apiKey,
    tokens,
    users: features.users,
    apps: features.apps,
    now: kernel.now,
  });

  const sayHello = createHello({ authenticator, users: features.users, reads: features.reads, hub });
  const longPoll = createLongPoll({ kernel, hub, sayHello });
  const sockets = createSocketGateway({ kernel, hub, flusher: createFlusher(), sayHello });

  const routes = createRoutes({ app, authenticator, users: features.users, hub });
  features.addRoutes(routes, tokens);
  gatewayRoutes(routes, { authenticator, longPoll, sync: createSync(kernel, features.access) });
  if (config.demo) await createDemo({ kernel, features, tokens, routes });
  healthRoutes(app, { kernel, hub, groupCommit: features.groupCommit });
  docsRoutes(app, openApiDocument({ serverUrl: `${config.publicUrl ?? ''}/api`, version: '0.1.0' }));
  const webDir = overrides.webDir ?? defaultWebDir;
  if (existsSync(webDir) || config.demo)
    await serveWeb(app, { dir: webDir, apiKey: config.apiKey, demo: config.demo });

  app.server.on('upgrade', sockets.upgrade);
  const beat = setInterval(() => hub.sweep(true), times.serverHeartbeat);
  const sweep = setInterval(() => hub.sweep(false), 5000);
  stops.push(
    () => clearInterval(beat),
    () => clearInterval(sweep),
    startRetention(kernel),
  );
  stops.push(() => app.close());
  await app.listen({ port: config.port, host: config.host });
  stops.push(
    () => longPoll.stop(),
    () => hub.stop(),
  );

  const { address, port, family } = app.server.address() as AddressInfo;
  const host = family === 'IPv6' ? `[${address}]` : address;
  return { url: config.publicUrl ?? `http://${host}:${port}`, app, kernel, stop };
};

import { ParleyError } from '@parley/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { missingMigrations } from '../db/migrate.ts';
import { ping } from '../db/ping.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Metrics } from './metrics.ts';

type Deps = { kernel: Kernel; metrics: Metrics; isDraining(): boolean };

/** A database that hangs does not answer, and the prober must still get an answer. */
const mostWaitMs = 2000;
const inTime = (answer: Promise<boolean>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, mostWaitMs, false);
  });
  return Promise.race([answer.catch(() => false), late]).finally(() => clearTimeout(timer));
};

type Parts = Record<string, () => Promise<boolean>>;

/** The parts without which this server should get no calls, by name. */
const createNeeded = ({ kernel: { db }, isDraining }: Deps): Parts => ({
  draining: async () => !isDraining(),
  database: () => ping(db).then(() => true),
  migrations: async () => (await missingMigrations(db)).length === 0,
});

/** The parts without which it serves, only slower: while the bus is away, servers read the log instead. It is away for all of them at
 * once, and a balancer that left them out would have nobody left to send a call to. */
const createUseful = ({ kernel: { bus } }: Deps): Parts => ({ bus: () => bus.ready() });

const findMissing = async (parts: Parts): Promise<string[]> => {
  const names = await Promise.all(
    Object.entries(parts).map(async ([name, isReady]) => ((await inTime(isReady())) ? [] : [name])),
  );
  const missing = names.flat();
  // Without a database nobody knows the others, which it carries.
  return missing.includes('database') ? missing.filter((name) => name !== 'migrations') : missing;
};

/** Callers who ask meanwhile share the answer: anybody may ask, and each look costs the database two statements. */
const shared = <T>(look: () => Promise<T>): (() => Promise<T>) => {
  let current: Promise<T> | undefined;
  return () => {
    current ??= look().finally(() => {
      current = undefined;
    });
    return current;
  };
};

/** Metrics are for the operator. A call that came through a proxy may be anybody's, and the proxy may know another spelling of the path. */
const isForwarded = ({ headers }: FastifyRequest): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;

/** Liveness, readiness and metrics for the operator of the server. */
export const healthRoutes = (app: FastifyInstance, deps: Deps): void => {
  const { metrics } = deps;
  const [needed, useful] = [createNeeded(deps), createUseful(deps)];
  app.get('/healthz', async () => ({ status: 'ok' }));
  const look = shared(() => Promise.all([findMissing(needed), findMissing(useful)]));
  app.get('/readyz', async (_request, reply) => {
    const [missing, away] = await look();
    const degraded = away.length > 0 ? { degraded: away } : {};
    if (missing.length === 0) return { status: 'ready', ...degraded };
    return reply.code(503).send({ status: 'not ready', not_ready: missing, ...degraded });
  });
  app.get('/metrics', async (request, reply) => {
    if (isForwarded(request)) throw new ParleyError('NotFound', 'Metrics are not shown through a proxy');
    return reply.type(metrics.contentType).send(await metrics.render());
  });
};

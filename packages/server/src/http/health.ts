import type { FastifyInstance } from 'fastify';
import { ping } from '../db/ping.ts';
import type { Replicas } from '../db/replicas.ts';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Metrics } from './metrics.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  groupCommit: { counts: { readonly messages: number; readonly commits: number } };
  metrics: Metrics;
};

const isReady = async (kernel: Kernel): Promise<boolean> => {
  try {
    await ping(kernel.db);
    return await kernel.bus.ready();
  } catch {
    return false;
  }
};

/** A database that hangs does not answer, and the prober must still get an answer. */
const mostWaitMs = 2000;
const inTime = (answer: Promise<boolean>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, mostWaitMs, false);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

const addReplicaMetrics = (metrics: Metrics, replicas: Replicas): void => {
  metrics.gauge('parley_replicas_used', 'Read replicas in use', () => replicas.status.used);
  metrics.gauge(
    'parley_replica_delay_seconds',
    'How far the slowest replica in use is behind',
    () => replicas.status.delayMs / 1000,
  );
  metrics.counterBy('answered_by', 'parley_replica_reads_total', 'Reads that replicas may answer', () =>
    Object.entries(replicas.counts),
  );
};

const addServerMetrics = ({ kernel, hub, groupCommit, metrics }: Deps): void => {
  metrics.gauge('parley_connections', 'Open realtime connections', () => hub.size().connections);
  metrics.gauge('parley_users_online', 'Users with a connection', () => hub.size().users);
  metrics.gauge('parley_rooms', 'Channels that someone watches', () => hub.size().rooms);
  metrics.counter('parley_frames_sent_total', 'Events handed to connections', () => hub.counts.frames);
  metrics.counter(
    'parley_messages_total',
    'Messages stored by group commit',
    () => groupCommit.counts.messages,
  );
  metrics.counter('parley_commits_total', 'Group commits', () => groupCommit.counts.commits);
  const { replicas } = kernel.pools;
  if (replicas) addReplicaMetrics(metrics, replicas);
};

/** Liveness, readiness and metrics for the operator of the server. */
export const healthRoutes = (app: FastifyInstance, deps: Deps): void => {
  const { kernel, metrics } = deps;
  addServerMetrics(deps);

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await inTime(isReady(kernel));
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
};

import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { createMetrics } from './metrics.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  groupCommit: { counts: { readonly messages: number; readonly commits: number } };
};

const isReady = async (kernel: Kernel): Promise<boolean> => {
  try {
    await sql`select 1`.execute(kernel.db);
    return await kernel.bus.ready();
  } catch {
    return false;
  }
};

/** A database that hangs answers nothing, and whoever asks must still get an answer. */
const mostWaitMs = 2000;
const inTime = (answer: Promise<boolean>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, mostWaitMs, false);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
};

/** Liveness, readiness and numbers for whoever runs the server. */
export const healthRoutes = (app: FastifyInstance, { kernel, hub, groupCommit }: Deps): void => {
  const metrics = createMetrics();
  metrics.gauge('parley_connections', 'Open realtime connections', () => hub.size().connections);
  metrics.gauge('parley_users_online', 'Users with a connection', () => hub.size().users);
  metrics.gauge('parley_rooms', 'Channels that someone watches', () => hub.size().rooms);
  metrics.counterOf('parley_frames_sent_total', 'Events handed to connections', () => hub.counts.frames);
  metrics.counterOf(
    'parley_messages_total',
    'Messages stored by group commit',
    () => groupCommit.counts.messages,
  );
  metrics.counterOf('parley_commits_total', 'Group commits', () => groupCommit.counts.commits);
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
  metrics.gauge('process_uptime_seconds', 'Seconds since start', () => Math.round(process.uptime()));
  const requests = metrics.counter('parley_http_requests_total', 'HTTP requests by status');
  app.addHook('onResponse', async (_request, reply) => {
    requests.with({ status: String(reply.statusCode) }).value++;
  });

  app.get('/healthz', async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const ready = await inTime(isReady(kernel));
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready' });
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(metrics.render()));
};

import type { Cluster } from '../cluster/cluster.ts';
import type { PoolUsage } from '../db/pool.ts';
import type { Replicas } from '../db/replicas.ts';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Metrics } from './metrics.ts';

type Deps = {
  kernel: Kernel;
  hub: Pick<Hub, 'size' | 'counts'>;
  cluster: Pick<Cluster, 'counts'>;
  groupCommit: { counts: { readonly messages: number; readonly commits: number } };
  /** Undefined where nothing is traced. */
  traces:
    | { readonly counts: { readonly exported: number; readonly dropped: number }; readonly size: number }
    | undefined;
  metrics: Metrics;
};

const addConnections = ({ hub, groupCommit, metrics }: Deps): void => {
  metrics.gauge('parley_connections', 'Open realtime connections', () => hub.size().connections);
  metrics.gauge('parley_users_online', 'Users with a connection', () => hub.size().users);
  metrics.gauge('parley_rooms', 'Channels that someone watches', () => hub.size().rooms);
  metrics.counter('parley_frames_sent_total', 'Events handed to connections', () => hub.counts.frames);
  const { counts } = groupCommit;
  metrics.counter('parley_messages_total', 'Messages stored by group commit', () => counts.messages);
  metrics.counter('parley_commits_total', 'Group commits', () => counts.commits);
};

const addDatabase = ({ kernel: { pools }, metrics }: Deps): void => {
  const gauges: [name: string, help: string, read: (usage: PoolUsage) => number][] = [
    ['parley_database_connections', 'Open connections of the pool', ({ open }) => open],
    ['parley_database_connections_idle', 'Open connections that nobody uses', ({ idle }) => idle],
    ['parley_database_waiting', 'Calls that wait for a connection', ({ waiting }) => waiting],
  ];
  for (const [name, help, read] of gauges)
    metrics.gaugeBy('pool', name, help, () => pools.usage().map(([pool, usage]) => [pool, read(usage)]));
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

const addCluster = ({ cluster, kernel: { queues }, metrics }: Deps): void => {
  metrics.gauge(
    'parley_servers',
    'Servers of the deployment that this one knows',
    () => cluster.counts.peers + 1,
  );
  metrics.gauge('parley_bus_up', '1 while the bus is there, 0 while the log is read instead', () =>
    Number(cluster.counts.isUp),
  );
  metrics.gauge('parley_bus_channels', 'Channels whose order is kept', () => cluster.counts.followed);
  metrics.histogram(
    'parley_bus_delay_seconds',
    'Time from the publication of an event at another server to its arrival here',
    () => cluster.counts.delay,
  );
  metrics.counter(
    'parley_bus_healed_total',
    'Events that did not arrive and were read from the log',
    () => cluster.counts.healed,
  );
  metrics.counter(
    'parley_bus_lost_total',
    'Holes that the log no longer had: clients load the channel again',
    () => cluster.counts.lost,
  );
  metrics.counter(
    'parley_bus_dropped_total',
    'Texts for other servers that could not be sent: the log heals them',
    () => cluster.counts.dropped,
  );
  metrics.gaugeBy('queue', 'parley_queue_length', 'Items that wait in a queue', () =>
    Array.from(queues, ([name, size]) => [name, size()]),
  );
};

const addTraces = ({ traces, kernel: { queues }, metrics }: Deps): void => {
  if (!traces) return;
  queues.set('spans', () => traces.size);
  metrics.counter('parley_spans_exported_total', 'Spans that were sent', () => traces.counts.exported);
  metrics.counter('parley_spans_dropped_total', 'Spans that nobody took', () => traces.counts.dropped);
};

/** The metrics of one server. They are read at each scrape. */
export const addServerMetrics = (deps: Deps): void => {
  const { kernel, metrics } = deps;
  const { serverName: server, bus } = kernel.config;
  metrics.info('parley_server_info', 'The name of the server and its bus', {
    server,
    bus: bus ? 'nats' : 'notify',
  });
  addConnections(deps);
  addDatabase(deps);
  if (kernel.pools.replicas) addReplicaMetrics(metrics, kernel.pools.replicas);
  addCluster(deps);
  addTraces(deps);
};

import fastify from 'fastify';
import { expect, test } from 'vitest';
import { createMetrics, type Metrics } from './metrics.ts';
import { measureRoutes } from './route-latency.ts';

const linesOf = async (metrics: Metrics, name: string): Promise<string[]> =>
  (await metrics.render()).split('\n').filter((line) => line.startsWith(name) || line.includes(` ${name} `));

test('protocol 1 counters and gauges are read at each scrape, with their help and type', async () => {
  const metrics = createMetrics();
  const values = { messages: 3, open: 1 };
  metrics.counter('messages_total', 'Messages stored', () => values.messages);
  metrics.gauge('sockets', 'Open sockets', () => values.open);
  const lines = async () => [
    ...(await linesOf(metrics, 'messages_total')),
    ...(await linesOf(metrics, 'sockets')),
  ];

  expect(await lines()).toEqual([
    '# HELP messages_total Messages stored',
    '# TYPE messages_total counter',
    'messages_total 3',
    '# HELP sockets Open sockets',
    '# TYPE sockets gauge',
    'sockets 1',
  ]);
  Object.assign(values, { messages: 5, open: 0 });
  expect(await lines()).toEqual(expect.arrayContaining(['messages_total 5', 'sockets 0']));
});

test('W4 gauges by label, an info and a histogram that others count', async () => {
  const metrics = createMetrics();
  const lengths = new Map([['sends', 2]]);
  metrics.gaugeBy('queue', 'queue_length', 'Waiting', () => lengths);
  metrics.info('server_info', 'The server', { server: 'one' });
  metrics.histogram('delay_seconds', 'Delay', () => ({ bounds: [0.1, 1], counts: [3, 0, 1], sum: 5.5 }));

  expect(await linesOf(metrics, 'queue_length')).toContain('queue_length{queue="sends"} 2');
  expect(await linesOf(metrics, 'server_info')).toContain('server_info{server="one"} 1');
  expect((await linesOf(metrics, 'delay_seconds')).slice(1)).toEqual([
    '# TYPE delay_seconds histogram',
    'delay_seconds_bucket{le="0.1"} 3',
    'delay_seconds_bucket{le="1"} 3',
    'delay_seconds_bucket{le="+Inf"} 4',
    'delay_seconds_sum 5.5',
    'delay_seconds_count 4',
  ]);
  lengths.delete('sends');
  expect(await linesOf(metrics, 'queue_length')).not.toContain('queue_length{queue="sends"} 2');
});

test('protocol 1 a name that is taken or not valid is refused', () => {
  const metrics = createMetrics();
  metrics.counter('a_total', 'A', () => 0);

  expect(() => metrics.gauge('a_total', 'A', () => 0)).toThrow('a_total has already been registered');
  expect(() => metrics.gauge('a-b c', 'A', () => 0)).toThrow('Invalid metric name');
});

test('protocol 1 several servers of one process share the metrics of the process', async () => {
  const [first, second] = [createMetrics(), createMetrics()];
  for (const metrics of [first, second]) {
    const text = await metrics.render();
    for (const name of [
      'process_resident_memory_bytes',
      'process_uptime_seconds',
      'process_cpu_seconds_total',
    ])
      expect(text.match(new RegExp(`^${name} \\d`, 'gm')), name).toHaveLength(1);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
  }
});

const duration = 'parley_http_request_duration_seconds';
const measuredApp = async () => {
  const metrics = createMetrics();
  const app = fastify();
  measureRoutes(app, metrics);
  app.get('/things/:id', async (request, reply) => {
    const { id } = request.params as { id: string };
    return reply.code(id === 'none' ? 404 : 200).send({});
  });
  app.post('/things', { onResponse: (_request, _reply, done) => done() }, async () => ({}));
  app.get('/assets/a-1.js', async () => '');
  app.get('/assets/b-2.js', async () => '');
  app.get('/fails', async () => {
    throw new Error('no');
  });
  await app.ready();
  /** `method route status` → count */
  const counts = async (): Promise<Record<string, number>> => {
    const pattern = /\{method="([^"]*)",route="([^"]*)",status="([^"]*)"\} (\d+)/;
    const found = (await linesOf(metrics, `${duration}_count`)).map((line) => pattern.exec(line) ?? []);
    return Object.fromEntries(
      found.map(([, method, route, status, count]) => [`${method} ${route} ${status}`, Number(count)]),
    );
  };
  return { app, metrics, counts };
};

test('protocol 1 latencies are counted by method, pattern of the route and class of status', async () => {
  const { app, counts } = await measuredApp();

  for (const url of [
    '/things/1',
    '/things/2?secret=1',
    '/things/none',
    '/fails',
    '/assets/a-1.js',
    '/assets/b-2.js',
  ])
    await app.inject(url);
  await app.inject({ method: 'POST', url: '/things', payload: {} });
  await app.inject({ method: 'HEAD', url: '/things/1' });

  expect(await counts()).toEqual({
    'GET /things/:id 2xx': 2,
    'GET /things/:id 4xx': 1,
    'GET /fails 5xx': 1,
    'GET /assets/* 2xx': 2,
    'POST /things 2xx': 1,
    'HEAD /things/:id 2xx': 1,
  });
  await app.close();
});

test('protocol 1 paths and methods that no route takes add one series, whatever the caller sends', async () => {
  const { app, metrics, counts } = await measuredApp();

  for (let index = 0; index < 20; index++) await app.inject(`/nowhere/${index}?a=${index}`);
  await app.inject({ method: 'DELETE', url: '/things/1' });

  expect(await counts()).toEqual({ 'any unmatched 4xx': 21 });
  expect(await linesOf(metrics, 'parley_http_requests_total{')).toEqual([
    'parley_http_requests_total{status="404"} 21',
  ]);
  await app.close();
});

test('protocol 1 each bucket of a latency counts all below it, and the last counts every request', async () => {
  const { app, metrics } = await measuredApp();
  await app.inject('/things/1');
  await app.inject('/things/2');

  const lines = await linesOf(metrics, duration);

  expect(lines.slice(0, 2)).toEqual([
    `# HELP ${duration} Time from the request to the end of its response`,
    `# TYPE ${duration} histogram`,
  ]);
  const buckets = lines.filter((line) => line.startsWith(`${duration}_bucket`));
  expect(buckets.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual(
    '0.005 0.01 0.025 0.05 0.1 0.25 0.5 1 2.5 5 +Inf'.split(' '),
  );
  const values = buckets.map((line) => Number(line.split(' ').at(-1)));
  expect(values).toEqual(values.toSorted((one, other) => one - other));
  expect(values.at(-1)).toBe(2);
  const sum = Number(
    lines
      .find((line) => line.startsWith(`${duration}_sum`))
      ?.split(' ')
      .at(-1),
  );
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(10);
  await app.close();
});

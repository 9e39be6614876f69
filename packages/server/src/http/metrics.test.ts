import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

test('a counter shows its value, with its help and type', () => {
  const metrics = createMetrics();
  const sent = metrics.counter('parley_messages_total', 'Messages stored');

  sent.value++;
  sent.value += 2;

  expect(linesOf(metrics.render())).toEqual([
    '# HELP parley_messages_total Messages stored',
    '# TYPE parley_messages_total counter',
    'parley_messages_total 3',
  ]);
});

test('labels in any order are one cell, and their values are escaped', () => {
  const metrics = createMetrics();
  const requests = metrics.counter('requests_total', 'Requests');

  requests.with({ method: 'GET', route: '/"x"\n' }).value++;
  requests.with({ route: '/"x"\n', method: 'GET' }).value++;

  expect(linesOf(metrics.render()).slice(2)).toEqual(['requests_total{method="GET",route="/\\"x\\"\\n"} 2']);
});

test('a gauge is read when it is asked for', () => {
  const metrics = createMetrics();
  let open = 1;
  metrics.gauge('sockets', 'Open sockets', () => open);

  open = 7;

  expect(metrics.render()).toContain('\nsockets 7\n');
});

test('a histogram counts each bucket with all below it', () => {
  const metrics = createMetrics();
  const took = metrics.histogram('took_seconds', 'Time', [0.1, 1]);

  for (const value of [0.05, 0.1, 0.5, 3]) took.observe(value);

  expect(linesOf(metrics.render()).slice(2)).toEqual([
    'took_seconds_bucket{le="0.1"} 2',
    'took_seconds_bucket{le="1"} 3',
    'took_seconds_bucket{le="+Inf"} 4',
    'took_seconds_sum 3.65',
    'took_seconds_count 4',
  ]);
});

test('a name that is taken or cannot be is refused', () => {
  const metrics = createMetrics();
  metrics.counter('a_total', 'A');

  expect(() => metrics.gauge('a_total', 'A', () => 0)).toThrow('There is a metric a_total already');
  expect(() => metrics.counter('a-b', 'A')).toThrow('cannot be the name');
  expect(() => metrics.counter('b_total', 'B').with({ 'x-y': '1' })).toThrow('name of a label');
});

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TraceExport } from './trace-export.ts';
import { createTracer, type EndedSpan, noTracer } from './tracing.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';
const ended = { name: 'POST /api/things', attributes: {}, isError: false };

const createRecording = (ratio = 1) => {
  const spans: EndedSpan[] = [];
  return { spans, tracer: createTracer(ratio, (span) => spans.push(span)) };
};

test('W4 a call and its parts are one trace, under that of the caller', async () => {
  const { spans, tracer } = createRecording();

  const call = tracer.begin(`00-${traceId}-${parentId}-01`);
  const done = new Promise<string>((resolve) =>
    call.inside(() => void tracer.within('part', async () => 'result').then(resolve)),
  );
  expect(await done).toBe('result');
  call.end(ended);

  const [part, whole] = spans;
  expect(whole).toMatchObject({ traceId, parentId, isCall: true, name: 'POST /api/things' });
  expect(part).toMatchObject({
    traceId,
    parentId: whole?.spanId,
    isCall: false,
    name: 'part',
    isError: false,
  });
  expect(part?.endMs).toBeGreaterThanOrEqual(part?.startMs ?? Number.POSITIVE_INFINITY);
  expect(Math.abs(Date.now() - (part?.endMs ?? 0))).toBeLessThan(60_000);
});

test('W4 a part that fails is an error of its span, and is thrown on', async () => {
  const { spans, tracer } = createRecording();
  const failing = new Promise((_resolve, reject) =>
    tracer
      .begin(undefined)
      .inside(() => void tracer.within('part', () => Promise.reject(new Error('no'))).catch(reject)),
  );

  await expect(failing).rejects.toThrow('no');
  expect(spans).toMatchObject([{ name: 'part', isError: true }]);
});

test('W4 the caller decides whether its trace is recorded; a header that is not valid begins a new one', () => {
  const { spans, tracer } = createRecording();
  tracer.begin(`00-${traceId}-${parentId}-00`).end(ended);
  expect(spans).toEqual([]);

  for (const bad of [
    '',
    'x',
    `ff-${traceId}-${parentId}-01`,
    `00-${'0'.repeat(32)}-${parentId}-01`,
    ['a', 'b'],
  ])
    tracer.begin(bad).end(ended);
  expect(spans.map((span) => [span.parentId, span.traceId === traceId])).toEqual(
    new Array(5).fill([undefined, false]),
  );

  const none = createRecording(0);
  none.tracer.begin(undefined).end(ended);
  none.tracer.begin(`00-${traceId}-${parentId}-01`).end(ended);
  expect(none.spans.map((span) => span.traceId)).toEqual([traceId]);
});

test('W4 outside a call, and without tracing, parts only run', async () => {
  const { spans, tracer } = createRecording();
  expect(await tracer.within('part', async () => 1)).toBe(1);
  expect(await noTracer.within('part', async () => 2)).toBe(2);
  noTracer.begin(undefined).end(ended);
  expect(spans).toEqual([]);
});

type Posted = { headers: IncomingHttpHeaders; url: string | undefined; names: string[] };
type Body = { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] };

/** Takes spans, or answers with the statuses that it is given first. */
const startReceiver = async (statuses: number[] = []) => {
  const posts: Posted[] = [];
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Body;
    const status = statuses.shift() ?? 200;
    const names = resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name) ?? [];
    if (status === 200) posts.push({ headers: request.headers, url: request.url, names });
    response.writeHead(status).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { posts, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces` };
};

const createExport = (url: string) => {
  const failures: string[] = [];
  const config = { url, headers: { 'x-key': 'k' }, ratio: 1, service: 'chat' };
  const traces = new TraceExport({ config, instance: 'one', version: '1', pauseMs: 5 });
  const stop = traces.start((reason) => failures.push(reason));
  const add = (name: string) =>
    traces.add({
      ...ended,
      name,
      traceId,
      spanId: parentId,
      parentId: undefined,
      isCall: true,
      startMs: 1,
      endMs: 2,
    });
  return { traces, stop, add, failures };
};

test('W4 spans are posted together, with the headers of the configuration; the last ones at the stop', async () => {
  const { posts, url } = await startReceiver();
  const { traces, stop, add } = createExport(url);

  for (const name of ['a', 'b']) add(name);
  await vi.waitFor(() => expect(posts).toHaveLength(1));
  expect(posts[0]).toMatchObject({ url: '/v1/traces', names: ['a', 'b'] });
  expect(posts[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' });

  add('last');
  await stop();
  expect(posts.at(-1)?.names).toEqual(['last']);
  expect(traces.counts).toEqual({ exported: 3, dropped: 0 });
});

test('W4 spans that are not taken are posted again, and the failure is noted once', async () => {
  const { posts, url } = await startReceiver([503, 503]);
  const { traces, stop, add, failures } = createExport(url);

  add('kept');
  await vi.waitFor(() => expect(posts.map(({ names }) => names)).toEqual([['kept']]));
  expect(failures).toEqual(['status 503']);
  expect(traces.counts.dropped).toBe(0);
  await stop();
});

test('W4 spans that are refused for good are dropped, and those after them are taken', async () => {
  const { posts, url } = await startReceiver([413]);
  const { traces, stop, add, failures } = createExport(url);

  add('too large');
  await vi.waitFor(() => expect(failures).toEqual(['status 413']));
  add('next');
  await vi.waitFor(() => expect(posts.map(({ names }) => names)).toEqual([['next']]));
  expect(traces.counts).toEqual({ exported: 1, dropped: 1 });
  await stop();
});

test('W4 while nobody takes spans the queue stays bounded, and a stop does not wait for them', async () => {
  const { traces, stop, add, failures } = createExport('http://127.0.0.1:9/v1/traces');

  for (let count = 0; count < 5000; count++) add('x');
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  expect(traces.size).toBeLessThanOrEqual(4096);
  expect(traces.counts.dropped).toBeGreaterThanOrEqual(904);
  await stop();
});

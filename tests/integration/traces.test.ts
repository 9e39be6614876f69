import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createTestChat, signToken } from '@parley/testkit';
import { expect, test } from 'vitest';

type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: object[];
};
type Body = { resourceSpans: { resource: { attributes: object[] }; scopeSpans: { spans: Span[] }[] }[] };

const sendRoute = '/api/channels/:type/:id/message';
const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentId = 'b7ad6b7169203331';

test('W4 a send leaves its trace at the collector: the call under the caller’s trace, its commit under the call, nothing private', async () => {
  const bodies: string[] = [];
  const receiver = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/v1/traces`;
  const apiSecret = 'a-secret-for-traces-under-test-only';
  const tracing = { url, headers: {}, ratio: 0, service: 'chat' };
  const chat = await createTestChat({ users: ['wilhelmina'], config: { apiSecret, tracing } });
  await chat.admin.channels.create('messaging', 'parlour', {
    ...{ created_by_id: 'wilhelmina', members: ['wilhelmina'] },
  });
  const token = signToken(apiSecret, { user_id: 'wilhelmina' });
  const post = (path: string, body: object, recorded: '00' | '01') =>
    fetch(`${chat.baseUrl}${path}`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': chat.apiKey, authorization: token, 'content-type': 'application/json' },
        traceparent: `00-${traceId}-${parentId}-${recorded}`,
      },
      body: JSON.stringify(body),
    }).then(({ status }) => status);

  const message = { text: 'confidential words' };
  expect(await post('/channels/messaging/parlour/message', { message }, '01')).toBe(201);
  expect(await post('/channels/messaging/parlour/message', { message }, '00')).toBe(201);
  expect(await post('/channels/messaging/cellar/query', { data: { name: 'cellar' } }, '01')).toBe(201);
  await chat.stop();
  receiver.close();

  const posts = bodies.flatMap((body) => (JSON.parse(body) as Body).resourceSpans);
  const spans = posts.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  expect(spans.every((span) => span.traceId === traceId)).toBe(true);
  const [send, ...others] = spans.filter(({ name }) => name === `POST ${sendRoute}`);
  expect(others).toEqual([]);
  expect(send).toMatchObject({
    kind: 2,
    parentSpanId: parentId,
    attributes: [
      { key: 'http.request.method', value: { stringValue: 'POST' } },
      { key: 'http.route', value: { stringValue: sendRoute } },
      { key: 'http.response.status_code', value: { intValue: '201' } },
    ],
  });
  const parentOf = (name: string) => spans.find((span) => span.name === name)?.parentSpanId;
  expect(parentOf('group commit')).toBe(send?.spanId);
  const query = spans.find(({ name }) => name === 'POST /api/channels/:type/:id/query');
  expect(parentOf('transaction')).toBe(query?.spanId);
  expect(posts[0]?.resource.attributes).toContainEqual({
    key: 'service.instance.id',
    value: { stringValue: 'test' },
  });
  expect(bodies.join()).not.toMatch(/confidential|wilhelmina|parlour|cellar/);
  expect(bodies.join()).not.toContain(token);
});

import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { Backends } from './backends.ts';
import { type Balancer, startBalancer } from './balancer.ts';

type Answer = { server: string; body: string; forwarded: string | undefined };
type TestServer = { name: string; port: number; stop(): Promise<void> };

/** A server that is ready, says its name, and echoes what comes over a socket. */
const startTestServer = async (name: string, answer?: RequestListener): Promise<TestServer> => {
  const sockets = new Set<Socket>();
  const server = createServer(async (request, response) => {
    if (request.url === '/readyz') return response.end();
    if (answer) return answer(request, response);
    const forwarded = request.headers['x-forwarded-for'];
    return response.end(JSON.stringify({ server: name, body: await text(request), forwarded }));
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('upgrade', (request, socket) => {
    if (request.url === '/refused') {
      socket.end('HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n');
      return;
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${name}:`,
    );
    socket.pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = once(server.close(), 'close');
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(stop);
  return { name, port: (server.address() as AddressInfo).port, stop };
};

const startBefore = async (
  servers: readonly TestServer[],
  isSticky = false,
): Promise<Balancer & { backends: Backends }> => {
  const backends = new Backends(servers.map(({ name, port }) => ({ name, port })));
  backends.start();
  await backends.untilReady(servers.map(({ name }) => name));
  const balancer = await startBalancer({ backends, host: '127.0.0.1', port: 0, isSticky });
  onTestFinished(async () => {
    backends.stop();
    await balancer.stop();
  });
  return { ...balancer, backends };
};

const startThree = () => Promise.all(['one', 'two', 'three'].map((name) => startTestServer(name)));
const ask = async (url: string, options: RequestInit = {}): Promise<Answer & { cookie: string | null }> => {
  const reply = await fetch(url, options);
  return { ...((await reply.json()) as Answer), cookie: reply.headers.get('set-cookie') };
};

test('W4 without sticky sessions calls go to one server after the other, with their body and address', async () => {
  const { url } = await startBefore(await startThree());

  const options = { method: 'POST', body: 'hello', headers: { 'x-forwarded-for': '10.0.0.7' } };
  const answers = [await ask(url, options), await ask(url, options), await ask(url, options)];

  expect(new Set(answers.map(({ server }) => server))).toEqual(new Set(['one', 'two', 'three']));
  for (const answer of answers)
    expect(answer).toMatchObject({ body: 'hello', forwarded: '10.0.0.7, 127.0.0.1', cookie: null });
});

test('W4 with sticky sessions a cookie keeps a browser at its server, and names another one when that is gone', async () => {
  const servers = await startThree();
  const { url } = await startBefore(servers, true);

  const first = await ask(url);
  const kept = { headers: { cookie: `other=1; ${first.cookie?.split(';')[0]}` } };
  expect(first.cookie).toBe(`parley_server=${first.server}; Path=/; HttpOnly; SameSite=Lax`);
  for (let turn = 0; turn < 4; turn++)
    expect(await ask(url, kept)).toMatchObject({ server: first.server, cookie: null });

  await servers.find(({ name }) => name === first.server)?.stop();
  const next = await ask(url, { ...kept, method: 'POST', body: 'once' });
  expect(next.server).not.toBe(first.server);
  expect(next).toMatchObject({
    body: 'once',
    cookie: expect.stringContaining(`parley_server=${next.server};`),
  });
});

test('W4 a server that takes no connection gets no call, and each call reaches another with its body', async () => {
  const servers = await startThree();
  const { url } = await startBefore(servers);
  await servers[0]?.stop();

  for (let turn = 0; turn < 6; turn++) {
    const { server, body } = await ask(url, { method: 'POST', body: `m${turn}` });
    expect([server === 'one', body]).toEqual([false, `m${turn}`]);
  }
});

test('W4 a server that dies during a call: what reads is asked of another, and what writes gets 502', async () => {
  const dying = await startTestServer('dying', (request) => request.socket.destroy());
  const well = await startTestServer('well');
  const { url, backends } = await startBefore([dying, well]);

  const read = await Promise.all([ask(url), ask(url)]);
  expect(read.map(({ server }) => server)).toEqual(['well', 'well']);

  await backends.untilReady(['dying']);
  const written = await Promise.all([1, 2].map(() => fetch(url, { method: 'POST', body: 'x' })));
  expect(written.map(({ status }) => status).sort()).toEqual([200, 502]);
});

test('W4 without a server that is ready calls get 503, and so do sockets', async () => {
  const one = await startTestServer('one');
  const { url } = await startBefore([one]);
  await one.stop();

  const reply = await fetch(url);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
  const [refusal] = (await once(upgradeRequest(url), 'response')) as [IncomingMessage];
  expect(refusal.statusCode).toBe(503);
});

const upgradeRequest = (url: string) =>
  httpRequest(url, { headers: { connection: 'Upgrade', upgrade: 'websocket' } }).end();

test('W4 a socket goes both ways, gets the cookie, and ends with its server', async () => {
  const one = await startTestServer('one');
  const { url } = await startBefore([one], true);

  const [answer, socket, head] = (await once(upgradeRequest(url), 'upgrade')) as [
    IncomingMessage,
    Socket,
    Buffer,
  ];
  expect(answer.headers['set-cookie']?.[0]).toMatch(/^parley_server=one;/);
  let said = String(head);
  socket.on('data', (data) => {
    said += data;
  });
  socket.write('hello');
  while (said !== 'one:hello') await once(socket, 'data');

  const closed = once(socket, 'close');
  await one.stop();
  await closed;
});

test('W4 the refusal of a socket arrives whole', async () => {
  const { url } = await startBefore([await startTestServer('one')]);

  const [answer] = (await once(upgradeRequest(`${url}/refused`), 'response')) as [IncomingMessage];

  expect([answer.statusCode, await text(answer)]).toEqual([401, 'no']);
});

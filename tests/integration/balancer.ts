import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

const lookMs = 50;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

const bodyOf = async (incoming: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts);
};

const isRefused = (error: NodeJS.ErrnoException): boolean => error.code === 'ECONNREFUSED';

/** A balancer without sticky sessions: each call goes to the next server that is ready. */
export const createBalancer = async () => {
  const agent = new Agent({ keepAlive: true });
  const servers = new Set<string>();
  let ready: string[] = [];
  let turn = 0;
  const next = (): string | undefined => ready[turn++ % ready.length];
  const look = async (): Promise<void> => {
    const all = [...servers];
    const answers = await Promise.all(all.map(isReady));
    ready = all.filter((_, at) => answers[at]);
  };
  const timer = setInterval(() => void look(), lookMs);

  const fail = (response: ServerResponse) => response.writeHead(502).end();
  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, tries = 3): void => {
    const target = next();
    if (target === undefined) return void fail(response);
    const { method, url, headers } = incoming;
    const call = request(`${target}${url}`, { method, headers, agent }, (answer) => {
      const { connection: _, 'keep-alive': __, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    call.on('error', (error) => {
      if (isRefused(error) && tries > 1) forward(incoming, body, response, tries - 1);
      else if (response.headersSent) response.destroy();
      else fail(response);
    });
    response.on('close', () => call.destroy());
    call.end(body);
  };
  const server = createServer((incoming, response) => {
    void bodyOf(incoming).then(
      (body) => forward(incoming, body, response),
      () => response.destroy(),
    );
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const target = next();
    if (target === undefined) return void client.destroy();
    const { port, hostname } = new URL(target);
    const upstream = connect(Number(port), hostname, () => {
      const lines = incoming.rawHeaders.flatMap((name, at, all) =>
        at % 2 === 0 ? `${name}: ${all[at + 1]}` : [],
      );
      upstream.write(`${[`GET ${incoming.url} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    for (const [one, peer] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      one.on('error', () => peer.destroy()).on('close', () => peer.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url: string): Promise<void> => {
      servers.add(url);
      await look();
    },
    remove: (url: string): void => {
      servers.delete(url);
    },
    stop: (): void => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
};

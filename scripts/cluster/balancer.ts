import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import type { Backend, Backends } from './backends.ts';

type Options = {
  backends: Backends;
  host: string;
  port: number;
  /** Whether a cookie keeps a browser with the server that it met first. */
  isSticky: boolean;
};

export type Balancer = { url: string; stop(): Promise<void> };

/** A server and an open connection to it. */
type Reached = { backend: Backend; socket: Socket };

const cookie = 'parley_server';
const connectMs = 2000;
/** Longer than browsers keep an idle connection: one that is closed while a call is on its way fails. */
const keepAliveMs = 72_000;
/** Headers that are about one connection and not about the call. */
const ofConnection = ['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect'];

const noServer = 'No server is ready.\n';
const noAnswer = 'The server ended before it answered.\n';

const noop = (): void => undefined;

/** Before anything of a call is sent: where this fails, another server can take it. */
const open = async (backend: Backend): Promise<Socket> => {
  const socket = connect({ host: '127.0.0.1', port: backend.port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
    return socket;
  } catch (error) {
    socket.on('error', noop).destroy();
    throw error;
  }
};

const headersFor = ({ headers, socket }: IncomingMessage): OutgoingHttpHeaders => {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.includes(name));
  const before = headers['x-forwarded-for'];
  const own = socket.remoteAddress ?? '';
  return {
    ...Object.fromEntries(kept),
    'x-forwarded-for': before === undefined ? own : `${before}, ${own}`,
  };
};

const wantedBy = ({ headers }: IncomingMessage): string | undefined =>
  new RegExp(`(?:^|;\\s*)${cookie}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

const headOf = (answer: IncomingMessage, added: readonly string[]): string => {
  const lines: string[] = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`];
  for (let at = 0; at < answer.rawHeaders.length; at += 2) {
    const name = answer.rawHeaders[at] ?? '';
    // The parts of a refusal arrive here without their lengths: its end is the end of the connection.
    if (name.toLowerCase() !== 'transfer-encoding') lines.push(`${name}: ${answer.rawHeaders[at + 1]}`);
  }
  return `${[...lines, ...added].join('\r\n')}\r\n\r\n`;
};

const endSoon = (stream: Duplex): void => {
  if (stream instanceof Socket) stream.destroySoon();
  else stream.destroy();
};

const join = (one: Duplex, other: Duplex): void => {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on('error', noop);
    from.once('close', () => endSoon(to));
    from.pipe(to);
  }
};

class HttpBalancer {
  #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  async call(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const reached = await this.#reach(incoming);
    if (!reached) {
      response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' }).end(noServer);
      return;
    }
    const outgoing = this.#request(incoming, reached.socket, {});
    response.once('close', () => outgoing.destroy());
    outgoing.once('response', (answer) => {
      const headers: OutgoingHttpHeaders = { ...answer.headers };
      for (const name of ofConnection) delete headers[name];
      const kept = this.#cookieFor(incoming, reached.backend);
      if (kept !== undefined) headers['set-cookie'] = [...(answer.headers['set-cookie'] ?? []), kept];
      response.writeHead(answer.statusCode ?? 502, headers);
      pipeline(answer, response, noop);
    });
    outgoing.on('error', () => this.#onLost(incoming, response, reached.backend));
    // The body is piped without `pipeline`: a server may answer before it has read all, and the rest that cannot be sent must not end the caller's connection.
    incoming.pipe(outgoing);
  }

  async upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', noop);
    const reached = await this.#reach(incoming);
    if (!reached) {
      socket.end(`HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n${noServer}`);
      return;
    }
    const { upgrade = 'websocket' } = incoming.headers;
    const outgoing = this.#request(incoming, reached.socket, { connection: 'Upgrade', upgrade });
    socket.once('close', () => outgoing.destroy());
    outgoing.once('upgrade', (answer, server, first) => {
      const kept = this.#cookieFor(incoming, reached.backend);
      socket.write(headOf(answer, kept === undefined ? [] : [`Set-Cookie: ${kept}`]));
      socket.write(first);
      server.write(head);
      join(socket, server);
    });
    outgoing.once('response', (answer) => {
      socket.write(headOf(answer, ['Connection: close']));
      pipeline(answer, socket, noop);
    });
    outgoing.on('error', () => endSoon(socket));
    outgoing.end();
  }

  /** A call that only reads is asked of another server; one that writes may have been done. */
  #onLost(incoming: IncomingMessage, response: ServerResponse, backend: Backend): void {
    // The caller went, and the server may be well.
    if (response.destroyed) return;
    this.#options.backends.leave(backend);
    if (response.headersSent) response.destroy();
    else if (incoming.method === 'GET' || incoming.method === 'HEAD') void this.call(incoming, response);
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(noAnswer);
  }

  async #reach(incoming: IncomingMessage): Promise<Reached | undefined> {
    const { backends, isSticky } = this.#options;
    for (const backend of backends.inOrder(isSticky ? wantedBy(incoming) : undefined)) {
      const socket = await open(backend).catch(() => undefined);
      if (socket) return { backend, socket };
      backends.leave(backend);
    }
    return undefined;
  }

  #request(incoming: IncomingMessage, socket: Socket, added: OutgoingHttpHeaders): ClientRequest {
    return httpRequest({
      createConnection: () => socket,
      method: incoming.method,
      path: incoming.url,
      headers: { ...headersFor(incoming), ...added },
      setHost: false,
    });
  }

  #cookieFor(incoming: IncomingMessage, { name }: Backend): string | undefined {
    if (!this.#options.isSticky || wantedBy(incoming) === name) return undefined;
    return `${cookie}=${name}; Path=/; HttpOnly; SameSite=Lax`;
  }
}

/** Spreads calls and sockets over the servers that are ready. It is made for one machine and no load: in production HAProxy, nginx or
 * Caddy do this. */
export const startBalancer = async (options: Options): Promise<Balancer> => {
  const balancer = new HttpBalancer(options);
  const server = createServer({ keepAliveTimeout: keepAliveMs, requestTimeout: 0, noDelay: true });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (incoming, response) => void balancer.call(incoming, response));
  server.on('upgrade', (incoming, socket, head) => void balancer.upgrade(incoming, socket, head));
  server.listen(options.port, options.host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}`,
    stop: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

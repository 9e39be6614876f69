import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  type ConnectFrame,
  ConnectFrameSchema,
  closeCodes,
  limits,
  ParleyError,
  times,
} from '@parley/protocol';
import { Compile } from 'typebox/compile';
import { type WebSocket, WebSocketServer } from 'ws';
import { parseJsonBody } from '../http/body.ts';
import { errorBody, toParleyError } from '../http/errors.ts';
import type { Kernel } from '../kernel.ts';
import type { Connection } from './connection.ts';
import type { Flusher } from './flusher.ts';
import { createFrame } from './frame.ts';
import type { SayHello } from './hello.ts';
import type { Hub } from './hub.ts';
import { closeSocket, SocketSink } from './socket-sink.ts';

type Deps = { kernel: Kernel; hub: Hub; flusher: Flusher; sayHello: SayHello };

const connectFrame = Compile(ConnectFrameSchema);

const parseConnect = (data: Buffer): ConnectFrame => {
  const value = parseJsonBody(data);
  if (connectFrame.Check(value)) return value;
  const [first] = connectFrame.Errors(value);
  const path = first?.instancePath.slice(1).replaceAll('/', '.') || 'type';
  throw new ParleyError('InputInvalid', 'The first frame must be a connect frame', [
    { path, message: first?.message ?? 'is not valid' },
  ]);
};

/** One socket from its upgrade to its end. */
class Visitor {
  #deps: Deps;
  #socket: WebSocket;
  #sink: SocketSink;
  #apiKey: string | undefined;
  #connection: Connection | undefined;
  #asked = false;
  #noFrame: { stop(): void };

  constructor(deps: Deps, socket: WebSocket, raw: Duplex, apiKey: string | undefined) {
    this.#deps = deps;
    this.#socket = socket;
    this.#apiKey = apiKey;
    this.#sink = new SocketSink(socket, raw, deps.flusher);
    this.#noFrame = deps.kernel.clock.setTimeout(
      () => this.#refuse(new ParleyError('AuthenticationFailed', 'No connect frame came in time')),
      times.firstFrame,
    );
    socket.on('ping', (data: Buffer) => this.#sink.pong(data));
    socket.on('message', (data: Buffer) => this.#onMessage(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#onClose());
  }

  #onMessage(data: Buffer): void {
    if (this.#connection) this.#connection.lastSeen = this.#deps.kernel.clock.now();
    if (this.#asked) return;
    this.#asked = true;
    this.#noFrame.stop();
    this.#greet(data).catch((error) => this.#refuse(error));
  }

  async #greet(data: Buffer): Promise<void> {
    const { kernel, hub, sayHello } = this.#deps;
    const frame = parseConnect(data);
    const credentials = { apiKey: this.#apiKey, token: frame.token, authType: frame.auth_type };
    const { connection, me } = await sayHello(credentials, frame.payload, this.#sink);
    if (this.#socket.readyState !== this.#socket.OPEN) return hub.close(connection);
    this.#connection = connection;
    const hello = { type: 'health.check', created_at: kernel.now(), connection_id: connection.id, me };
    this.#sink.start(createFrame(JSON.stringify(hello)));
  }

  #refuse(error: unknown): void {
    const { kernel } = this.#deps;
    const known = toParleyError(error);
    if (!known) kernel.log.error({ err: error }, 'connect failed');
    const told = known ?? new ParleyError('Internal');
    const body = errorBody(told, '');
    this.#socket.send(JSON.stringify({ type: 'connection.error', created_at: kernel.now(), error: body }));
    closeSocket(this.#socket, closeCodes.authentication, told.name);
  }

  #onClose(): void {
    this.#noFrame.stop();
    if (this.#connection) this.#deps.hub.close(this.#connection);
  }
}

const answerHttp = (raw: Duplex, status: string): void => {
  raw.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
};

/** Takes WebSockets at /api/connect. */
export const createSocketGateway = (deps: Deps) => {
  const sockets = new Set<WebSocket>();
  let stopped = false;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    clientTracking: false,
    // The library's own answers wait without bound for a peer that does not read.
    autoPong: false,
  });
  return {
    upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
      const [path, query] = (request.url ?? '').split('?');
      raw.on('error', () => raw.destroy());
      if (path !== '/api/connect' || stopped) {
        answerHttp(raw, stopped ? '503 Service Unavailable' : '404 Not Found');
        return;
      }
      const apiKey = new URLSearchParams(query ?? '').get('api_key') ?? undefined;
      server.handleUpgrade(request, raw, head, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        new Visitor(deps, socket, raw, apiKey);
      });
    },
    /** Ends them all, those too that have not said who they are. */
    stop(): void {
      stopped = true;
      for (const socket of sockets) closeSocket(socket, closeCodes.goingAway, 'the server is going away');
    },
  };
};

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
import type { Connection } from '../hub/connection.ts';
import { createFrame } from '../hub/frame.ts';
import type { Hub } from '../hub/hub.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { AddressOf } from '../lib/proxies.ts';
import { type AddressCap, FrameBudget, type Place } from './caps.ts';
import { createFlusher, type Flusher } from './flusher.ts';
import type { SayHello } from './hello.ts';
import { closeSocket, SocketSink } from './socket-sink.ts';

type Deps = {
  kernel: Kernel;
  hub: Hub;
  flusher: Flusher;
  sayHello: SayHello;
  addressOf: AddressOf;
  addresses: AddressCap;
};

/** A socket before it is authenticated. */
type Arrival = { raw: Duplex; apiKey: string | undefined; address: string; place: Place };

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
  #arrival: Arrival;
  #budget: FrameBudget | undefined;
  #connection: Connection | undefined;
  #asked = false;
  #noFrame: { stop(): void };

  constructor(deps: Deps, socket: WebSocket, arrival: Arrival) {
    const { clock, config } = deps.kernel;
    this.#deps = deps;
    this.#socket = socket;
    this.#arrival = arrival;
    this.#budget = config.rateLimits ? new FrameBudget(clock) : undefined;
    this.#sink = new SocketSink(socket, {
      ...{ raw: arrival.raw, flusher: deps.flusher, leavePlace: arrival.place.leave },
    });
    this.#noFrame = clock.setTimeout(
      () => this.#refuse(new ParleyError('AuthenticationFailed', 'No connect frame came in time')),
      times.firstFrame,
    );
    socket.on('ping', (data: Buffer) => this.#mayTake() && this.#sink.pong(data));
    socket.on('pong', () => this.#mayTake());
    socket.on('message', (data: Buffer) => this.#mayTake() && this.#onMessage(data));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => this.#onClose());
    if (arrival.place.isOver) this.#turnAway(deps.addresses.refusal());
  }

  /** Whether one more frame is taken. A socket that is over its budget, or is ending, is not listened to. */
  #mayTake(): boolean {
    if (this.#socket.readyState !== this.#socket.OPEN) return false;
    if (this.#budget === undefined || this.#budget.take()) return true;
    this.#sink.close(closeCodes.tooMany, 'too many frames');
    return false;
  }

  /** Nothing that it says is looked at. */
  #turnAway(error: ParleyError): void {
    this.#asked = true;
    this.#noFrame.stop();
    this.#refuse(error);
  }

  #onMessage(data: Buffer): void {
    if (this.#connection) this.#connection.lastSeen = this.#deps.kernel.clock.elapsed();
    if (this.#asked) return;
    this.#asked = true;
    this.#noFrame.stop();
    this.#greet(data).catch((error) => this.#refuse(error));
  }

  async #greet(data: Buffer): Promise<void> {
    const { kernel, hub, sayHello } = this.#deps;
    const frame = parseConnect(data);
    const { apiKey, address, place } = this.#arrival;
    await place.confirm();
    const credentials = {
      apiKey,
      token: frame.token,
      authType: frame.auth_type,
      address: () => address,
    };
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
    const shown = known ?? new ParleyError('Internal');
    const body = errorBody(shown, '');
    this.#socket.send(JSON.stringify({ type: 'connection.error', created_at: kernel.now(), error: body }));
    const code = shown.name === 'RateLimited' ? closeCodes.tooMany : closeCodes.authentication;
    closeSocket(this.#socket, code, shown.name);
  }

  #onClose(): void {
    this.#noFrame.stop();
    this.#arrival.place.leave();
    if (this.#connection) this.#deps.hub.close(this.#connection);
  }
}

const answerHttp = (raw: Duplex, status: string, text = ''): void => {
  const length = `content-type: text/plain\r\ncontent-length: ${Buffer.byteLength(text)}`;
  raw.end(`HTTP/1.1 ${status}\r\nconnection: close\r\n${length}\r\n\r\n${text}`);
};

/** Takes WebSockets at /api/connect. */
export const createSocketGateway = (given: Omit<Deps, 'flusher'>) => {
  const deps: Deps = { ...given, flusher: createFlusher() };
  const sockets = new Set<WebSocket>();
  let isDraining = false;
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
      if (path !== '/api/connect' || isDraining) {
        if (isDraining) answerHttp(raw, '503 Service Unavailable');
        else answerHttp(raw, '404 Not Found', 'Sockets are taken at /api/connect: baseUrl ends with /api');
        return;
      }
      const apiKey = new URLSearchParams(query ?? '').get('api_key') ?? undefined;
      const address = deps.addressOf(request);
      const place = deps.addresses.enter(address);
      if (!place) {
        answerHttp(raw, '429 Too Many Requests');
        return;
      }
      // Whatever ends it, also a bad upgrade that never becomes a socket.
      raw.once('close', place.leave);
      server.handleUpgrade(request, raw, head, (socket) => {
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        new Visitor(deps, socket, { raw, apiKey, address, place });
      });
    },
    /** Takes no more sockets. */
    drain(): void {
      isDraining = true;
    },
    /** Ends them all, those too that have not said who they are. */
    stop(): void {
      isDraining = true;
      for (const socket of sockets) closeSocket(socket, closeCodes.goingAway, 'the server is going away');
    },
  };
};

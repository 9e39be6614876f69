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
import { errorBody, toParleyError } from '../http/errors.ts';
import type { Kernel } from '../kernel.ts';
import type { Connection, Sink } from './connection.ts';
import { type Flusher, joinBuffers } from './flusher.ts';
import { type Frame, frameBytes } from './frame.ts';
import type { SayHello } from './hello.ts';
import type { Hub } from './hub.ts';

const connectFrame = Compile(ConnectFrameSchema);

const parseConnect = (data: Buffer): ConnectFrame => {
  let value: unknown;
  try {
    value = JSON.parse(data.toString('utf8'));
  } catch {
    throw new ParleyError('InputInvalid', 'The first frame must be JSON', [
      { path: 'frame', message: 'must be valid JSON' },
    ]);
  }
  if (connectFrame.Check(value)) return value;
  const [first] = connectFrame.Errors(value);
  const path = first?.instancePath.slice(1).replaceAll('/', '.') || 'type';
  throw new ParleyError('InputInvalid', 'The first frame must be a connect frame', [
    { path, message: first?.message ?? 'is not valid' },
  ]);
};

/** Writes all frames of a turn at once, straight to the socket beneath `ws`: they are ready frames. */
const createSocketSink = (
  socket: WebSocket,
  raw: Duplex,
  flusher: Flusher,
): Sink & { flush(): void; start(): void } => {
  let out: Buffer[] = [];
  let started = false;
  let inFlight = 0;
  let closed = false;
  const close = (code: number, reason: string) => {
    if (closed) return;
    closed = true;
    out = [];
    socket.close(code, reason);
    // A peer that does not read never answers the close frame.
    setTimeout(() => socket.terminate(), 2000).unref();
  };
  const sink = {
    send(frame: Frame) {
      if (closed) return;
      if (out.length === 0 && started) flusher.add(sink);
      out.push(frameBytes(frame));
    },
    /** Nothing goes out before the hello. */
    start() {
      started = true;
      if (out.length > 0) flusher.add(sink);
    },
    flush() {
      if (closed || out.length === 0) return;
      if (raw.writableLength === 0) inFlight = 0;
      inFlight += out.length;
      const list = out;
      out = [];
      raw.write(joinBuffers(list));
      const waiting = raw.writableLength;
      if (waiting > limits.queuedBytes || (waiting > 0 && inFlight > limits.queuedFrames))
        close(closeCodes.slowConsumer, 'too slow: too much is waiting to be read');
    },
    close,
  };
  return sink;
};

type Deps = { kernel: Kernel; hub: Hub; flusher: Flusher; sayHello: SayHello };

const readQuery = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams((request.url ?? '').split('?')[1] ?? '');

/** Takes WebSockets at /api/connect. Returns the upgrade handler and the stop. */
export const createSocketGateway = ({ kernel, hub, flusher, sayHello }: Deps) => {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.frameBytes,
    perMessageDeflate: false,
    clientTracking: false,
  });

  const refuse = (socket: WebSocket, error: unknown): void => {
    const known = toParleyError(error);
    if (!known) kernel.log.error({ err: error }, 'connect failed');
    const told = known ?? new ParleyError('Internal');
    const body = errorBody(told, '');
    socket.send(JSON.stringify({ type: 'connection.error', created_at: kernel.now(), error: body }));
    socket.close(closeCodes.authentication, told.name);
    setTimeout(() => socket.terminate(), 2000).unref();
  };

  const accept = (socket: WebSocket, raw: Duplex, apiKey: string | undefined): void => {
    let connection: Connection | undefined;
    let asked = false;
    const noFrame = kernel.clock.setTimeout(
      () => refuse(socket, new ParleyError('AuthenticationFailed', 'No connect frame came in time')),
      times.firstFrame,
    );
    const sink = createSocketSink(socket, raw, flusher);

    const greet = async (data: Buffer): Promise<void> => {
      const frame = parseConnect(data);
      const credentials = { apiKey, token: frame.token, authType: frame.auth_type };
      const hello = await sayHello(credentials, frame.payload, sink);
      if (socket.readyState !== socket.OPEN) return hub.close(hello.connection);
      connection = hello.connection;
      socket.send(
        JSON.stringify({
          type: 'health.check',
          created_at: kernel.now(),
          connection_id: connection.id,
          me: hello.me,
        }),
      );
      sink.start();
    };

    socket.on('message', (data: Buffer) => {
      if (connection) {
        connection.lastSeen = kernel.clock.now();
        return;
      }
      if (asked) return;
      asked = true;
      noFrame.stop();
      greet(data).catch((error) => refuse(socket, error));
    });
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      noFrame.stop();
      if (connection) hub.close(connection);
    });
  };

  return {
    upgrade(request: IncomingMessage, raw: Duplex, head: Buffer): void {
      if (request.url?.split('?')[0] !== '/api/connect') {
        raw.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      const query = readQuery(request);
      const key = query.get('api_key') ?? undefined;
      raw.on('error', () => raw.destroy());
      server.handleUpgrade(request, raw, head, (socket) => accept(socket, raw, key));
    },
  };
};

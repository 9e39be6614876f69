import { connect, type Socket } from 'node:net';
import { FrameReader, type FrameSink } from './frame-reader.ts';
import { ReplyReader } from './reply-reader.ts';

// Every socket reads into the same memory: libuv fills it and calls back before it reads the next socket.
const shared = Buffer.allocUnsafeSlow(256 * 1024);

const createSocket = (port: number, onRead: (length: number) => void): Socket => {
  const callback = (length: number) => {
    onRead(length);
    return true;
  };
  return connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: shared, callback } });
};

const connected = (socket: Socket): Promise<Socket> =>
  new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      // A connection that breaks later is noticed by its close.
      socket.on('error', () => {});
      resolve(socket);
    });
  });

export type HttpConnection = {
  /** Sends a ready request; one at a time. The reply comes to `onReply`. */
  send(request: string): void;
  /** The same with the reply and its body as a promise. */
  ask(request: string): Promise<{ status: number; body: string }>;
  onReply: (status: number) => void;
  close(): void;
};

/**
 * A keep-alive connection. One that the server ended between requests is opened again by the next one, for lanes
 * take turns and the server may not wait that long; one that ends under a request replies with status 0.
 */
export const openHttp = async (port: number): Promise<HttpConnection> => {
  let waiting: ((reply: { status: number; body: string }) => void) | undefined;
  let busy = false;
  let reader: ReplyReader;
  let socket: Socket;
  const answer = (status: number, body: string) => {
    const asked = waiting;
    waiting = undefined;
    busy = false;
    reader.keep = false;
    if (asked) asked({ status, body });
    else connection.onReply(status);
  };
  const open = () => {
    const current = new ReplyReader(answer);
    reader = current;
    socket = createSocket(port, (length) => current.feed(shared, length));
    socket.on('error', () => {});
    socket.once('close', () => {
      if (busy && reader === current) answer(0, '');
    });
    return socket;
  };
  const write = (request: string, keep: boolean) => {
    if (!socket.writable) open();
    busy = true;
    reader.keep = keep;
    socket.write(request, 'utf8');
  };
  const connection: HttpConnection = {
    onReply: () => {},
    send: (request) => write(request, false),
    ask: (request) =>
      new Promise((resolve) => {
        waiting = resolve;
        write(request, true);
      }),
    close: () => {
      busy = false;
      socket.destroy();
    },
  };
  await connected(open());
  return connection;
};

export type WsConnection = {
  /** Writes a frame made by `clientFrame`. */
  write(frame: Buffer): void;
  /** Whether frames are decoded from now on. */
  keep(payloads: boolean): void;
  close(): void;
};

/** A text frame as a client sends it. The mask is zero: legal, as much work for the server, none for the generator. */
export const clientFrame = (payload: string | Buffer, opcode = 1): Buffer => {
  const body = Buffer.from(payload);
  const short = body.length < 126;
  const head = Buffer.alloc(short ? 6 : 8);
  head[0] = 0x80 | opcode;
  head[1] = 0x80 | (short ? body.length : 126);
  if (!short) head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
};

export type WsOptions = {
  port: number;
  path: string;
  prefix?: string;
  onData: FrameSink['onData'];
  /** The server closed the connection, with the code of its close frame. */
  onClosed(code: number): void;
};

const handshake = (path: string): string =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: Upgrade\r\nupgrade: websocket\r\n` +
  'sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';

/** A WebSocket that counts. Resolves when the server has agreed to the upgrade. */
export const openWs = async (options: WsOptions): Promise<WsConnection> => {
  let ours = false;
  let code = 1006;
  let head = '';
  let upgraded: (() => void) | undefined;
  let refused: ((error: Error) => void) | undefined;
  const onControl = (opcode: number, payload: Buffer) => {
    if (opcode === 9) socket.write(clientFrame(payload, 10));
    if (opcode === 8 && payload.length >= 2) code = payload.readUInt16BE(0);
  };
  const reader = new FrameReader({ onData: options.onData, onControl }, options.prefix);
  const onRead = (length: number) => {
    if (upgraded === undefined) return reader.feed(shared, 0, length);
    const before = head.length;
    head += shared.toString('latin1', 0, length);
    const end = head.indexOf('\r\n\r\n');
    if (end === -1) return;
    if (!head.startsWith('HTTP/1.1 101')) refused?.(new Error(`no upgrade: ${head.slice(0, 200)}`));
    upgraded();
    upgraded = undefined;
    reader.feed(shared, end + 4 - before, length);
  };
  const agreed = new Promise<void>((resolve, reject) => {
    upgraded = resolve;
    refused = reject;
  });
  const socket = await connected(createSocket(options.port, onRead));
  socket.on('close', () => {
    refused?.(new Error(`closed with ${code} before the upgrade`));
    if (!ours) options.onClosed(code);
  });
  socket.write(handshake(options.path));
  await agreed;
  return {
    write: (frame) => {
      socket.write(frame);
    },
    keep: (payloads) => {
      reader.keep = payloads;
    },
    close: () => {
      ours = true;
      socket.destroy();
    },
  };
};

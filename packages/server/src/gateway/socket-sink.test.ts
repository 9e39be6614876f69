import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createFrame } from '../hub/frame.ts';
import { createFlusher } from './flusher.ts';
import { SocketSink } from './socket-sink.ts';

/** A stream to a peer that can stop reading. */
const createPeer = () => {
  let isReading = true;
  let taken: (() => void) | undefined;
  const received: Buffer[] = [];
  const raw = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      received.push(chunk);
      if (isReading) done();
      else taken = done;
    },
  });
  return {
    raw,
    received: () => Buffer.concat(received),
    stopReading: () => {
      isReading = false;
    },
    readOn: () => {
      isReading = true;
      taken?.();
    },
  };
};

const upgrade = (raw: Duplex): Promise<WebSocket> => {
  const request = new IncomingMessage(new Socket());
  request.method = 'GET';
  request.headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': Buffer.alloc(16).toString('base64'),
  };
  const server = new WebSocketServer({ noServer: true, autoPong: false, clientTracking: false });
  return new Promise((resolve) => server.handleUpgrade(request, raw, Buffer.alloc(0), resolve));
};

const pongOf = (text: string): Buffer => Buffer.concat([Buffer.from([0x8a, text.length]), Buffer.from(text)]);

test('protocol 4 a ping is answered also when little was waiting to be read, and so are later ones', async () => {
  const peer = createPeer();
  const { raw } = peer;
  const socket = await upgrade(raw);
  const sink = new SocketSink(socket, { raw, flusher: createFlusher(), leavePlace: () => undefined });
  const answered = (text: string) =>
    vi.waitFor(() => expect(peer.received().includes(pongOf(text))).toBe(true));
  await vi.waitFor(() => expect(raw.writableLength).toBe(0));
  peer.stopReading();
  sink.start(createFrame('{"type":"health.check"}'));
  await vi.waitFor(() => expect(raw.writableLength).toBeGreaterThan(0));
  expect(raw.writableNeedDrain).toBe(false);

  sink.pong(Buffer.from('older'));
  sink.pong(Buffer.from('newest'));
  expect(peer.received().includes(pongOf('newest'))).toBe(false);
  peer.readOn();

  await answered('newest');
  expect(peer.received().includes(pongOf('older'))).toBe(false);
  sink.pong(Buffer.from('later'));
  await answered('later');
  socket.terminate();
});

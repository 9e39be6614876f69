import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { bareFrameBytes } from './jobs.ts';

// The limit: what the same machine does when a send costs nothing but its broadcast. Each message becomes one ready
// frame that is written to every socket of the room, one write each; nothing is stored, checked or joined.

const server = new WebSocketServer({
  port: 0,
  host: '127.0.0.1',
  perMessageDeflate: false,
  clientTracking: false,
});
const rooms = new Map<string, Set<Duplex>>();

const roomOf = (path: string): Set<Duplex> => {
  const room = rooms.get(path) ?? new Set();
  rooms.set(path, room);
  return room;
};

const readyFrame = (message: Buffer): Buffer => {
  const frame = Buffer.alloc(4 + bareFrameBytes, 32);
  frame[0] = 0x81;
  frame[1] = 126;
  frame.writeUInt16BE(bareFrameBytes, 2);
  message.copy(frame, 4);
  return frame;
};

server.on('connection', (ws, request) => {
  const room = roomOf(request.url ?? '/');
  const { socket } = request;
  room.add(socket);
  ws.on('close', () => room.delete(socket));
  ws.on('error', () => {});
  ws.on('message', (data: Buffer) => {
    const frame = readyFrame(data);
    for (const each of room) each.write(frame);
  });
});
server.on('listening', () => process.send?.({ port: (server.address() as { port: number }).port }));
process.once('disconnect', () => process.exit());

import type { Duplex } from 'node:stream';
import { closeCodes, limits } from '@parley/protocol';
import type { WebSocket } from 'ws';
import type { Sink } from '../hub/connection.ts';
import { type Frame, frameBytes } from '../hub/frame.ts';
import { type Flushable, type Flusher, joinBuffers } from './flusher.ts';

const closeGraceMs = 2000;
const nothing = Buffer.alloc(0);

/** Says goodbye; a peer that does not read never answers the close frame, so the socket then ends without it. */
export const closeSocket = (socket: WebSocket, code: number, reason: string): void => {
  socket.close(code, reason);
  const timer = setTimeout(() => socket.terminate(), closeGraceMs);
  timer.unref();
  socket.once('close', () => clearTimeout(timer));
};

type Beneath = { raw: Duplex; flusher: Flusher; leavePlace(): void };

/** Writes all frames of a turn at once, straight to the socket beneath `ws`: they are ready frames. */
export class SocketSink implements Sink, Flushable {
  #socket: WebSocket;
  #raw: Duplex;
  #flusher: Flusher;
  #leavePlace: () => void;
  #out: Buffer[] = [];
  #started = false;
  #inFlight = 0;
  #closed = false;
  /** The payload of the newest ping that is not answered. */
  #pong: Buffer | undefined;

  constructor(socket: WebSocket, { raw, flusher, leavePlace }: Beneath) {
    this.#socket = socket;
    this.#raw = raw;
    this.#flusher = flusher;
    this.#leavePlace = leavePlace;
  }

  send(frame: Frame): void {
    if (this.#closed) return;
    if (this.#out.length === 0 && this.#started) this.#flusher.add(this);
    this.#out.push(frameBytes(frame));
    if (!this.#started && this.#out.length > limits.queuedFrames) this.#closeSlow();
  }

  leavePlace(): void {
    this.#leavePlace();
  }

  /** Nothing goes out before the hello. */
  start(hello: Frame): void {
    this.#started = true;
    this.#out.unshift(frameBytes(hello));
    this.#flusher.add(this);
  }

  /** Answers a ping under the bound of everything else: while something waits to be read, only the newest is answered, later. */
  pong(data: Buffer): void {
    if (this.#closed) return;
    const isWaiting = this.#pong !== undefined;
    this.#pong = data;
    if (isWaiting) return;
    if (this.#raw.writableLength === 0) setImmediate(() => this.#sendPong());
    // Not on `drain`, which comes only if the buffer was full: an empty write is done when all before it has gone out.
    else this.#raw.write(nothing, () => this.#sendPong());
  }

  #sendPong(): void {
    const data = this.#pong;
    this.#pong = undefined;
    if (this.#closed || data === undefined || this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.pong(data);
  }

  flush(): void {
    if (this.#closed || this.#out.length === 0) return;
    if (this.#raw.writableLength === 0) this.#inFlight = 0;
    this.#inFlight += this.#out.length;
    const list = this.#out;
    this.#out = [];
    this.#raw.write(joinBuffers(list));
    const waiting = this.#raw.writableLength;
    if (waiting > limits.queuedBytes || (waiting > 0 && this.#inFlight > limits.queuedFrames))
      this.#closeSlow();
  }

  close(code: number, reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#out = [];
    closeSocket(this.#socket, code, reason);
  }

  #closeSlow(): void {
    this.close(closeCodes.slowConsumer, 'too slow: too much is waiting to be read');
  }
}

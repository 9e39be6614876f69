import { closeCodes } from '@parley/protocol';
import type { Clock } from '../lib/clock.ts';
import type { Connection } from './connection.ts';
import { createFrame, type Frame } from './frame.ts';

/** Clients open their next connection at a random moment of this time. */
const renewWithinMs = 4000;
/** One that begins at the end of its time still gets there. Those that do not know the request end at different moments. */
const graceMs = 1000;
const spreadMs = 2000;

/** The request to open another connection and to close this one then: a client that closed it first would be offline for others. */
export const createMoveFrame = (now: string, withinMs: number): Frame =>
  createFrame(JSON.stringify({ type: 'connection.draining', created_at: now, within_ms: withinMs }));

/** The parts of a connection that a move needs. */
type Moved = Pick<Connection, 'sink' | 'isMoving'>;

/** From here on the connection does not count for the caps: the next one of its client takes its place. */
export const startMoving = (connection: Moved): void => {
  connection.isMoving = true;
  connection.sink.leavePlace?.();
};

/** Makes clients read their own state anew, by a new connection to any server. */
export class Renewal {
  #clock: Clock;
  #now: () => string;
  /** Those that were asked: their next connection reads whatever is lost until then. */
  #asked = new WeakSet<Moved>();

  constructor({ clock, now }: { clock: Clock; now(): string }) {
    this.#clock = clock;
    this.#now = now;
  }

  ask(connections: Iterable<Moved>): void {
    const frame = createMoveFrame(this.#now(), renewWithinMs);
    for (const connection of connections) {
      if (this.#asked.has(connection)) continue;
      this.#asked.add(connection);
      const { sink } = connection;
      sink.send(frame);
      this.#clock.setTimeout(
        () => sink.close(closeCodes.goingAway, 'events may have been lost'),
        renewWithinMs + graceMs + Math.random() * spreadMs,
      );
    }
  }
}

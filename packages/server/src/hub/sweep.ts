import { closeCodes, times } from '@parley/protocol';
import type { Clock } from '../lib/clock.ts';
import type { Connection } from './connection.ts';
import type { Frame } from './frame.ts';

const perTurn = 50;

/** Goes through connections a few a turn: to write to thousands at once would hold every event back meanwhile. */
export const eachInTurns = (
  connections: readonly Connection[],
  run: (connection: Connection) => void,
): void => {
  const next = (start: number): void => {
    for (const connection of connections.slice(start, start + perTurn)) run(connection);
    if (start + perTurn < connections.length) setImmediate(next, start + perTurn);
  };
  next(0);
};

/** Ends a connection that is silent or whose token ended; any other gets the frame. */
export const sweepOne = ({ sink, lastSeen, expires }: Connection, clock: Clock, frame?: Frame): void => {
  if (clock.elapsed() - lastSeen > times.silence) sink.close(closeCodes.goingAway, 'no sign of life');
  else if (expires !== undefined && expires * 1000 <= clock.now())
    sink.close(closeCodes.tokenExpired, 'the token has expired');
  else if (frame) sink.send(frame);
};

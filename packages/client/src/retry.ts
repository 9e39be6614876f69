import { ParleyError } from '@parley/protocol/errors';
import { backoff } from './backoff.ts';
import type { Core } from './core.ts';
import { after, type Environment } from './environment.ts';
import type { Events } from './events.ts';
import { NetworkError } from './http/network-error.ts';

export type RetryWorld = Pick<Environment, 'clock' | 'random'> & Pick<Events, 'on'>;

export const worldOf = ({ environment, events }: Core): RetryWorld => ({ ...environment, on: events.on });

/** Whether the same call may succeed later: a refusal stays one. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ParleyError ? error.retryable : error instanceof NetworkError;

/** Ends after the back-off, or as soon as the connection is back. */
export const pause = ({ clock, random, on }: RetryWorld, failures: number): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      stopTimer();
      stopListening();
      resolve();
    };
    const stopTimer = after(clock, backoff(failures, random()), done);
    const stopListening = on('connection.recovered', done);
  });

/** Repeats what the network lost until it succeeds, is refused, or is no longer wanted. */
export const persist = async <T>(
  world: RetryWorld,
  run: () => Promise<T>,
  isWanted: () => boolean = () => true,
): Promise<T> => {
  for (let failures = 1; ; failures += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isPassing(error) || !isWanted()) throw error;
      await pause(world, failures);
      if (!isWanted()) throw error;
    }
  }
};

/** The same for what no caller waits for: a refusal is only noted, and it ends when the user signs out. */
export const askQuietly = async (core: Core, what: string, run: () => Promise<void>): Promise<void> => {
  const user = core.me.get()?.id;
  const isWanted = () => core.me.get()?.id === user;
  try {
    await persist(worldOf(core), run, isWanted);
  } catch (error) {
    if (isWanted()) core.log.warn(`${what} could not be asked for`, error);
  }
};

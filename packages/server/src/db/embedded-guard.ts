import { toError } from '../lib/to-error.ts';

const lookMs = 500;
const longestPauseMs = 30_000;

type Guarded = {
  isRunning(): boolean;
  restart(): Promise<void>;
  log(line: string): void;
};

/** Looks after a server that may die, and starts it again, with growing pauses where that fails. Returns its stop. */
export const guard = ({ isRunning, restart, log }: Guarded): (() => void) => {
  let isStopped = false;
  let pauseMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const tryRestart = async (): Promise<void> => {
    log('PostgreSQL has ended by itself and is started again');
    try {
      await restart();
      pauseMs = 0;
      log('PostgreSQL is running again');
    } catch (error) {
      pauseMs = Math.min(longestPauseMs, Math.max(1000, pauseMs * 2));
      const reason = toError(error).message;
      log(`PostgreSQL could not be started, the next try is in ${pauseMs / 1000} s: ${reason}`);
    }
  };

  const look = async (): Promise<void> => {
    if (!isStopped && !isRunning()) await tryRestart();
    if (!isStopped) wait();
  };
  const wait = (): void => {
    timer = setTimeout(() => void look(), Math.max(lookMs, pauseMs));
    timer.unref();
  };
  wait();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
};

import type { ChildProcess } from 'node:child_process';

const patienceMs = 8_000;

const end = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.kill('SIGTERM');
  });

export type Restarter = { restart(): Promise<void>; stop(): Promise<void> };

/** Keeps one process of a kind: a restart waits for the old one to be gone, so that the port is free. */
export const createRestarter = (start: () => ChildProcess): Restarter => {
  let child = start();
  let turn: Promise<void> = Promise.resolve();
  let stopped = false;
  // When this process ends by another way than `stop`, the child must not outlive it.
  const onExit = () => child.kill('SIGTERM');
  process.once('exit', onExit);
  return {
    restart: () => {
      turn = turn.then(async () => {
        await end(child);
        if (!stopped) child = start();
      });
      return turn;
    },
    stop: async () => {
      stopped = true;
      await turn;
      await end(child);
      process.off('exit', onExit);
    },
  };
};

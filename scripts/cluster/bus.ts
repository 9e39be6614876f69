import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, isListening } from '@parley/testkit/free-port';
import { ensureNats } from '@parley/testkit/nats-program';

export type ClusterBus = { url: string; stop(): Promise<void> };

const startLimitMs = 10_000;

/** The shell ends NATS when its input ends: that is when this process stops it, and when this process is gone. */
const untilInputEnds = '"$@" & program=$!; read -r _; kill "$program" 2>/dev/null; wait "$program"';

const stopShell = async (shell: ChildProcess): Promise<void> => {
  if (shell.exitCode !== null || shell.signalCode !== null) return;
  const exited = once(shell, 'exit');
  shell.stdin?.end();
  await exited;
};

/** A NATS of its own on a free port, or why there is none. */
export const startBus = async (log: (line: string) => void): Promise<ClusterBus | { missing: string }> => {
  const path = await ensureNats(() => log('Installing nats-server from the packages of this system …'));
  if (typeof path !== 'string') return path;
  const port = await freePort();
  const shell = spawn('sh', ['-c', untilInputEnds, 'sh', path, '-a', '127.0.0.1', '-p', String(port)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in the terminal ends the servers first.
    detached: true,
  });
  const end = Date.now() + startLimitMs;
  while (!(await isListening(port))) {
    if (Date.now() > end) {
      await stopShell(shell);
      return { missing: `${path} did not start within ${startLimitMs / 1000} s.` };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url: `nats://127.0.0.1:${port}`, stop: () => stopShell(shell) };
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { aptGet, isExecutable, isRoot } from './apt.ts';

const installLimitMs = 120_000;

const findNats = async (): Promise<string | undefined> => {
  const folders = ['/usr/sbin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin'];
  for (const path of folders.map((folder) => join(folder, 'nats-server')))
    if (await isExecutable(path)) return path;
  return undefined;
};

/** The path of nats-server, or why there is none. As root on Debian or Ubuntu it is installed where it is missing. */
export const ensureNats = async (
  onInstall: () => void = () => undefined,
): Promise<string | { missing: string }> => {
  const found = await findNats();
  if (found !== undefined) return found;
  const missing = 'nats-server was not found.';
  if (!isRoot() || !(await isExecutable('/usr/bin/apt-get'))) return { missing };
  onInstall();
  const end = AbortSignal.timeout(installLimitMs);
  await aptGet(['update'], end);
  const problem = await aptGet(['install', '-y', '--no-install-recommends', 'nats-server'], end);
  return (await findNats()) ?? { missing: `${missing} Installing it with apt-get failed: ${problem}` };
};

const untilInputEnds =
  'signal=$1; shift; "$@" & program=$!; read -r _; kill -s "$signal" "$program" 2>/dev/null; wait "$program"';

/** Runs NATS under a shell that ends it when its input ends: when `stop` is called, and when this process is gone, however it ended. */
export const runNats = (path: string, args: readonly string[], signal: 'TERM' | 'KILL') => {
  const shell = spawn('sh', ['-c', untilInputEnds, 'sh', signal, path, ...args], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // Ctrl-C in the terminal reaches this process first.
    detached: true,
  });
  const stop = async (): Promise<void> => {
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    const exited = once(shell, 'exit');
    shell.stdin.end();
    await exited;
  };
  return { stop };
};

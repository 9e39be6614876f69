import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

/** Undefined when it went well, otherwise the last line of what apt-get said. */
export function aptGet(args: string[], signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    // SIGTERM, not SIGKILL: dpkg must come to an end in order, or the system needs a repair by hand.
    const child = spawn('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=120', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    let said = '';
    child.stderr.on('data', (data) => {
      said = `${said}${data}`.slice(-2_000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : (said.trim().split('\n').at(-1) ?? `${code}`)),
    );
  });
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

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

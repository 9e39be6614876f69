import { chmod, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '@parley/server';
import pg from 'pg';
import { makeDatabaseFolder } from './memory-folder.ts';

const settings = { fsync: 'off', autovacuum: 'off' };
/** The files of the running server, which are no part of its data. */
const ownFiles = new Set(['postmaster.pid', 'postmaster.opts']);

/** Copies the data of a running PostgreSQL by its own protocol for backups. */
const copyData = async (url: string, from: string, to: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_backup_start('replica', true)");
    await cp(from, to, { recursive: true, filter: (path) => !ownFiles.has(path.slice(from.length + 1)) });
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(to, 'standby.signal'), '');
    await chmod(to, 0o700);
  } finally {
    await client.end();
  }
};

const runOn = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
};

export type ReplicatedPostgres = Awaited<ReturnType<typeof startReplicatedPostgres>>;

/** A PostgreSQL of its own with a streaming replica, which can fall behind and go away. */
export const startReplicatedPostgres = async () => {
  const folder = makeDatabaseFolder('parley-replicated-');
  await chmod(folder, 0o711);
  const [primaryDir, replicaDir] = [join(folder, 'primary'), join(folder, 'replica')];
  const primary = await startEmbeddedPostgres({ dataDir: primaryDir, settings });
  await mkdir(replicaDir, { mode: 0o711 });
  await copyData(primary.url, join(primaryDir, 'pg'), join(replicaDir, 'pg'));
  const address = new URL(primary.url);
  const host = address.searchParams.get('host') ?? address.hostname;
  const conninfo = `host=${host} port=${address.port} user=postgres password=${address.password || 'none'}`;
  const startReplica = () =>
    startEmbeddedPostgres({ dataDir: replicaDir, settings: { ...settings, primary_conninfo: conninfo } });
  let replica = await startReplica();
  let copy: Awaited<ReturnType<typeof startReplica>> | undefined;
  return {
    url: primary.url,
    replicaUrl: replica.url,
    /** From here on the replica knows of nothing new. */
    pauseReplica: () => runOn(replica.url, 'select pg_wal_replay_pause()'),
    /** The log of the primary goes on in its next file. */
    advance: () => runOn(primary.url, 'select pg_switch_wal()'),
    resumeReplica: () => runOn(replica.url, 'select pg_wal_replay_resume()'),
    stopReplica: () => replica.stop(),
    startReplica: async (): Promise<void> => {
      replica = await startReplica();
    },
    /** Promotes a copy of a replica that was stopped: a primary, on a timeline of its own, without what came later. */
    promoteCopy: async (): Promise<string> => {
      const copyDir = join(folder, 'copy');
      await cp(replicaDir, copyDir, { recursive: true });
      copy = await startEmbeddedPostgres({ dataDir: copyDir, settings });
      await runOn(copy.url, 'select pg_promote()');
      return copy.url;
    },
    /** Writes so much to the log of the copy, or of the first primary, that it is ahead of the other's. */
    takeLead: async (isCopy: boolean): Promise<void> => {
      const [leading, other] = isCopy ? [copy?.url ?? '', primary.url] : [primary.url, copy?.url ?? ''];
      const position = async (url: string): Promise<number> => {
        const [row] = await runOn(url, `select (pg_current_wal_flush_lsn() - '0/0')::float8 as position`);
        return Number(row?.position);
      };
      const missing = (await position(other)) - (await position(leading));
      await runOn(
        leading,
        `select pg_logical_emit_message(true, '', repeat('x', ${Math.max(0, missing) + 100_000}))`,
      );
    },
    stop: async (): Promise<void> => {
      await copy?.stop();
      await replica.stop();
      await primary.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../db/schema.ts';
import type { Kernel } from '../kernel.ts';

type Word = { from: string; kind: string; ids: number[] };
type Listener = (ids: number[]) => Promise<void>;

/** PostgreSQL takes 8 000 bytes at once. */
const idsPerWord = 400;
const reconnectMs = 2000;
const channel = 'parley_jobs';

export type Relay = ReturnType<typeof createRelay>;

/** Tells the other servers on the same database what a job has done here, so that they tell those who are connected to them. */
export const createRelay = ({ pools, clock, log }: Pick<Kernel, 'pools' | 'clock' | 'log'>) => {
  const self = randomUUID();
  const listeners = new Map<string, Listener>();
  let isStopped = true;
  let opening: Promise<{ end(): Promise<void> } | undefined> = Promise.resolve(undefined);

  const hear = (payload: string | undefined): void => {
    const { from, kind, ids } = JSON.parse(payload ?? '') as Word;
    if (from === self) return;
    listeners
      .get(kind)?.(ids)
      .catch((error: unknown) => log.error({ err: error, kind }, 'what another server did was not told'));
  };

  const open = async () => {
    const client = await pools.connectPipelined();
    client.on('notification', ({ payload }) => hear(payload));
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // Only now: a connection that ends before is opened again by who called, and twice would be heard twice.
    client.once('end', again);
    return client;
  };
  const listen = (): void => {
    if (isStopped) return;
    opening = open().catch((error: unknown) => {
      log.warn({ err: error }, 'other servers are not heard at the moment');
      again();
      return undefined;
    });
  };
  const again = (): void => {
    if (!isStopped) clock.setTimeout(listen, reconnectMs);
  };

  return {
    on: (kind: string, listener: Listener): void => {
      listeners.set(kind, listener);
    },
    /** Heard once the transaction is committed, and not at all if it is not. */
    send: async (db: Kysely<Database>, kind: string, ids: number[]): Promise<void> => {
      for (let start = 0; start < ids.length; start += idsPerWord) {
        const word: Word = { from: self, kind, ids: ids.slice(start, start + idsPerWord) };
        await sql`select pg_notify(${channel}, ${JSON.stringify(word)})`.execute(db);
      }
    },
    start: (): (() => Promise<void>) => {
      isStopped = false;
      listen();
      return async () => {
        isStopped = true;
        await (await opening)?.end();
      };
    },
  };
};

import { randomUUID } from 'node:crypto';
import { listenTo, sendNotification } from '../db/notifications.ts';
import type { Db } from '../db/schema.ts';
import type { Kernel } from '../kernel/kernel.ts';

type Notice = { from: string; kind: string; ids: number[] };
type Listener = (ids: number[]) => Promise<void>;

/** A notification of PostgreSQL holds 8 000 bytes. */
const idsPerNotice = 400;
const reconnectMs = 2000;
const channel = 'parley_jobs';

export type Relay = ReturnType<typeof createRelay>;

/** Notifies the other servers on the same database of rows that a job published here, so that they publish them to their own
 * connections. At most once: a server whose connection is broken at that moment misses the notice. */
export const createRelay = ({ pools, clock, log }: Pick<Kernel, 'pools' | 'clock' | 'log'>) => {
  const self = randomUUID();
  const listeners = new Map<string, Listener>();
  let isStopped = true;
  let opening: Promise<{ end(): Promise<void> } | undefined> = Promise.resolve(undefined);

  const receive = (payload: string | undefined): void => {
    const { from, kind, ids } = JSON.parse(payload ?? '') as Notice;
    if (from === self) return;
    listeners
      .get(kind)?.(ids)
      .catch((error: unknown) =>
        log.error({ err: error, kind }, 'a notice of another server was not published'),
      );
  };

  const open = async () => {
    const client = await pools.connectPipelined();
    client.on('notification', ({ payload }) => receive(payload));
    try {
      await listenTo(client, channel);
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
    // Only now: `listen` opens a connection that ended before this line again, and with two of them each notice would come twice.
    client.once('end', again);
    return client;
  };
  const listen = (): void => {
    if (isStopped) return;
    opening = open().catch((error: unknown) => {
      log.warn({ err: error }, 'notices of other servers do not arrive at the moment');
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
    /** The notice is sent with the commit of the transaction, and not at all without it. */
    send: async (db: Db, kind: string, ids: number[]): Promise<void> => {
      for (let start = 0; start < ids.length; start += idsPerNotice) {
        const notice: Notice = { from: self, kind, ids: ids.slice(start, start + idsPerNotice) };
        await sendNotification(db, channel, JSON.stringify(notice));
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

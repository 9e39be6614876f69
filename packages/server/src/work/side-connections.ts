import type pg from 'pg';

const most = 3;
/** After this long a batch that waits for a lock makes room for others that wait. */
const lockTimeoutMs = 1000;

export type SideConnections = ReturnType<typeof createSideConnections>;

/** A few connections on which work waits for locks that others hold. One that fails is closed; a new one takes its place. */
export const createSideConnections = (connect: () => Promise<pg.Client>) => {
  const free: pg.Client[] = [];
  const line: (() => void)[] = [];
  let used = 0;

  const open = async (): Promise<pg.Client> => {
    const client = await connect();
    client.once('end', () => {
      const place = free.indexOf(client);
      if (place >= 0) free.splice(place, 1);
    });
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    return client;
  };
  const enter = async (): Promise<void> => {
    if (used >= most) await new Promise<void>((resolve) => line.push(resolve));
    else used++;
  };
  const leave = (): void => {
    const next = line.shift();
    if (next) next();
    else used--;
  };

  return {
    /** Throws only if no connection can be opened: `run` answers the items it works for. */
    async use(run: (client: pg.Client) => Promise<void>): Promise<void> {
      await enter();
      try {
        const client = free.pop() ?? (await open());
        await run(client).then(
          () => free.push(client),
          () => client.end().catch(() => undefined),
        );
      } finally {
        leave();
      }
    },
    async end(): Promise<void> {
      for (const client of free.splice(0)) await client.end().catch(() => undefined);
    },
  };
};

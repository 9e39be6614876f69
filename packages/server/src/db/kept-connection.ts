import type pg from 'pg';

export type KeptConnection = ReturnType<typeof createKeptConnection>;

/** A connection that is opened when it is needed first. One that ended is forgotten: the first call after a restart of the
 * database would fail on it. */
export const createKeptConnection = (connect: () => Promise<pg.Client>) => {
  let kept: Promise<pg.Client> | undefined;
  return {
    get(): Promise<pg.Client> {
      if (kept) return kept;
      const opening = connect();
      const forget = () => {
        if (kept === opening) kept = undefined;
      };
      opening.then((client) => client.once('end', forget), forget);
      kept = opening;
      return opening;
    },
    async end(): Promise<void> {
      const old = kept;
      kept = undefined;
      await old?.then((client) => client.end()).catch(() => undefined);
    },
  };
};

/** How a server that is one of several ends. */
export type DrainConfig = {
  /** How long it still takes calls and connections after it said that it is not ready. */
  readyMs: number;
  /** The time within which clients move to other servers; 0: they are disconnected at once. */
  reconnectMs: number;
};

/** The part of the reader of `config.ts` that is needed here. */
type Reader = { whole(name: string, fallback: number, bounds: [number, number]): number };

const mostMs = 60_000;

export const readDrainConfig = (read: Reader): DrainConfig => ({
  readyMs: read.whole('PARLEY_DRAIN_READY_MS', 1000, [0, mostMs]),
  reconnectMs: read.whole('PARLEY_DRAIN_RECONNECT_MS', 3000, [0, mostMs]),
});

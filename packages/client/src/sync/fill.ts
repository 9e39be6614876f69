import type { ServerEvent } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { backoff } from '../backoff.ts';
import { after, type Clock } from '../environment.ts';
import type { Store } from './store.ts';

export type SequencedEvent = ServerEvent & { cid: string; seq: number };
export type Filled = { events: unknown[]; resync: string[]; more?: string[] };

export type FillerOptions = {
  store: Store;
  fill(cursors: Record<string, number>): Promise<Filled>;
  /** The gap is older than the server keeps: query the channel anew. */
  resync(cid: string): Promise<void>;
  /** Applies the events of a channel, in order. */
  take(cid: string, events: readonly SequencedEvent[]): void;
  /** The channel still waits for an event that did not come. */
  isShort(cid: string): boolean;
  clock: Clock;
  random: () => number;
};

export type Filler = {
  request(cid: string): void;
  catchUp(cids: readonly string[]): Promise<void>;
  clear(): void;
};

const chunk = <T>(list: readonly T[], size: number): T[][] =>
  list.length === 0 ? [] : [list.slice(0, size), ...chunk(list.slice(size), size)];

const byChannel = (events: readonly SequencedEvent[]): Map<string, SequencedEvent[]> => {
  const groups = new Map<string, SequencedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.cid);
    if (group) group.push(event);
    else groups.set(event.cid, [event]);
  }
  for (const group of groups.values()) group.sort((a, b) => a.seq - b.seq);
  return groups;
};

/** Asks the log for what is missing, and returns the channels that need another turn. */
const fillPart = async (
  { store, fill, take, isShort, resync }: FillerOptions,
  cids: readonly string[],
  asked: Set<string>,
  isCurrent: () => boolean,
): Promise<string[]> => {
  const cursors: Record<string, number> = {};
  for (const cid of cids) if (store.confirmed(cid)) cursors[cid] = store.find(cid)?.seq ?? 0;
  if (Object.keys(cursors).length === 0) return [];
  const { events, resync: lost, more } = await fill(cursors);
  if (!isCurrent()) return [];
  const groups = byChannel(events as SequencedEvent[]);
  const again: string[] = [];
  const anew = new Set(lost);
  for (const [cid, from] of Object.entries(cursors)) {
    asked.delete(cid);
    take(cid, groups.get(cid) ?? []);
    const got = groups.get(cid)?.length ?? 0;
    const isNext = more?.includes(cid);
    // No step forward: the log will never have what is missing. Unless the answer was full before this channel's turn.
    if (isNext || isShort(cid))
      (store.find(cid)?.seq ?? 0) > from || (isNext && got === 0) ? again.push(cid) : anew.add(cid);
  }
  for (const cid of anew) if (isCurrent()) await resync(cid);
  return again.filter((cid) => !anew.has(cid));
};

/** One request at a time for all channels with a hole; a failure is tried again with back-off. */
export const createFiller = (options: FillerOptions): Filler => {
  let wanted = new Set<string>();
  /** Asked for now: whoever is still short when the answer comes is asked for again anyway. */
  let asked = new Set<string>();
  let filling: Promise<void> | undefined;
  let epoch = 0;
  let failures = 0;
  let stopRetry = () => {};

  const run = async (mine: number): Promise<void> => {
    const isCurrent = () => epoch === mine;
    while (wanted.size > 0 && isCurrent()) {
      const cids = [...wanted];
      wanted = new Set();
      try {
        for (const part of chunk(cids, limits.syncCursors)) {
          asked = new Set(part);
          for (const cid of await fillPart(options, part, asked, isCurrent)) wanted.add(cid);
          asked.clear();
        }
        failures = 0;
      } catch (error) {
        asked.clear();
        if (!isCurrent()) return;
        for (const cid of cids) wanted.add(cid);
        failures += 1;
        stopRetry();
        stopRetry = after(options.clock, backoff(failures, options.random()), startSafely);
        throw error;
      }
    }
  };
  const start = (): Promise<void> => {
    if (filling) return filling;
    const started = Promise.resolve()
      .then(() => run(epoch))
      .finally(() => {
        if (filling === started) filling = undefined;
      });
    filling = started;
    return started;
  };
  const startSafely = () => void start().catch(() => {});
  return {
    request: (cid) => {
      if (wanted.has(cid) || asked.has(cid)) return;
      wanted.add(cid);
      startSafely();
    },
    catchUp: (cids) => {
      for (const cid of cids) wanted.add(cid);
      return wanted.size === 0 ? Promise.resolve() : start();
    },
    clear: () => {
      epoch += 1;
      wanted.clear();
      asked = new Set();
      stopRetry();
      failures = 0;
      filling = undefined;
    },
  };
};

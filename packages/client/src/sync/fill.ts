import type { ServerEvent, SyncCursor } from '@parley/protocol';
import { limits } from '@parley/protocol/limits';
import { backoff } from '../backoff.ts';
import { after, type Clock } from '../environment.ts';
import type { Slot, Store } from './store.ts';

export type SequencedEvent = ServerEvent & { cid: string; seq: number };
export const isSequenced = (event: ServerEvent): event is SequencedEvent =>
  event.seq !== undefined && event.cid !== undefined;

export type Filled = { events: ServerEvent[]; resync: string[]; more?: string[] };

export type FillerOptions = {
  store: Store;
  fill(cursors: Record<string, SyncCursor>): Promise<Filled>;
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

/** The channels that are asked for now, and those that were queried anew by the turn before. */
type Turn = { asked: Set<string>; renewed: Set<string> };

const cursorOf = ({ seq, log, at }: Slot) => ({ seq, ...(log && { log_id: log }), ...(at && { at }) });

/** Asks the log for what is missing, and returns the channels that need another turn. */
const fillPart = async (
  { store, fill, take, isShort, resync }: FillerOptions,
  { asked, renewed }: Turn,
  isCurrent: () => boolean,
): Promise<string[]> => {
  const cids = [...asked];
  const cursors: Record<string, Exclude<SyncCursor, number>> = {};
  for (const cid of cids) {
    const slot = store.find(cid);
    if (slot?.confirmed) cursors[cid] = cursorOf(slot);
  }
  if (Object.keys(cursors).length === 0) return [];
  const { events, resync: lost, more } = await fill(cursors);
  if (!isCurrent()) return [];
  const again: string[] = [];
  const anew = new Set(lost);
  for (const [cid, { seq: from }] of Object.entries(cursors)) {
    asked.delete(cid);
    const got = events.filter(isSequenced).filter((event) => event.cid === cid);
    take(cid, got);
    const isNext = more?.includes(cid);
    // No step forward: the log will never have what is missing. Unless the answer was full before this channel's turn.
    if (isNext || isShort(cid))
      (store.find(cid)?.seq ?? 0) > from || (isNext && !got.length) ? again.push(cid) : anew.add(cid);
  }
  for (const cid of cids) if (!anew.has(cid)) renewed.delete(cid);
  let stuck = '';
  for (const cid of anew) {
    if (!isCurrent()) break;
    const slot = store.find(cid);
    if (slot) slot.isLost = true;
    if (renewed.delete(cid)) stuck = cid;
    else {
      renewed.add(cid);
      await resync(cid);
    }
  }
  // A fresh snapshot did not help: without the back-off of failures the client would ask without end.
  if (stuck) throw new Error(`The log of ${stuck} cannot be followed`);
  return again.filter((cid) => !anew.has(cid));
};

/** One request at a time for all channels with a hole; a failure is tried again with back-off. */
export const createFiller = (options: FillerOptions): Filler => {
  let wanted = new Set<string>();
  /** Asked for now: whoever is still short when the answer comes is asked for again anyway. */
  let asked = new Set<string>();
  const renewed = new Set<string>();
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
        for (let from = 0; from < cids.length; from += limits.syncCursors) {
          asked = new Set(cids.slice(from, from + limits.syncCursors));
          for (const cid of await fillPart(options, { asked, renewed }, isCurrent)) wanted.add(cid);
          asked.clear();
        }
        if (!renewed.size) failures = 0;
      } catch (error) {
        asked.clear();
        if (!isCurrent()) return;
        // Channels that were left meanwhile are dropped: each later attempt would go through all of them again.
        for (const cid of cids) options.store.find(cid)?.confirmed ? wanted.add(cid) : renewed.delete(cid);
        stopRetry();
        stopRetry = after(options.clock, backoff(++failures, options.random()), startSafely);
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
      return wanted.size ? start() : Promise.resolve();
    },
    clear: () => {
      epoch += 1;
      wanted.clear();
      asked = new Set();
      stopRetry();
      renewed.clear();
      failures = 0;
      filling = undefined;
    },
  };
};

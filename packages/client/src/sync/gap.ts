import type { ServerEvent } from '@parley/protocol';
import { createFiller, type FillerOptions, type SequencedEvent } from './fill.ts';
import type { ConfirmedChannel } from './state.ts';
import type { LogPlace, Slot } from './store.ts';

export type GapOptions = Omit<FillerOptions, 'take' | 'isShort'> & {
  /** Applies one event, in order. */
  deliver(event: ServerEvent): void;
};

/** Whether a snapshot is of another log than the slot. */
export const isOtherLog = (slot: Slot | undefined, { seq, log_id, seq_at }: LogPlace): boolean =>
  !!slot?.confirmed &&
  (slot.isLost || slot.log !== log_id || (slot.seq === seq && seq_at !== undefined && slot.at !== seq_at));

export type Gap = {
  /** Applies the event if it is the next one of its channel, keeps it if it is early, drops it if it is known. */
  receive(event: SequencedEvent): void;
  /** Keeps events of unknown channels until the returned stop is called, once: a query is on its way that may watch them. */
  hold(): () => void;
  /** Puts a snapshot in place, then the events that came while it was on its way. False: it was too old. */
  reset(cid: string, confirmed: ConfirmedChannel, at: LogPlace): boolean;
  /** Lets events wait until `resume`, and forgets those that wait already: after a reconnect the log may be another. */
  suspend(cids: readonly string[]): void;
  resume(): void;
  /** Resolves when the channels have caught up with the log. */
  catchUp(cids: readonly string[]): Promise<void>;
  clear(): void;
};

/** Events that came before their turn, by channel and number. */
const createEarly = () => {
  const byCid = new Map<string, Map<number, SequencedEvent>>();
  return {
    keep: (event: SequencedEvent) => {
      const waiting = byCid.get(event.cid) ?? new Map<number, SequencedEvent>();
      byCid.set(event.cid, waiting);
      waiting.set(event.seq, event);
    },
    has: (cid: string) => byCid.has(cid),
    /** Hands out what is next in turn, and forgets what is past. */
    drain: (slot: Slot, advance: (slot: Slot, event: SequencedEvent) => void) => {
      const waiting = byCid.get(slot.cid);
      if (!waiting) return;
      for (let next = waiting.get(slot.seq + 1); next; next = waiting.get(slot.seq + 1)) advance(slot, next);
      for (const seq of waiting.keys()) if (seq <= slot.seq) waiting.delete(seq);
      if (waiting.size === 0) byCid.delete(slot.cid);
    },
    forget: (isUnknown: (cid: string) => boolean) => {
      for (const cid of [...byCid.keys()]) if (isUnknown(cid)) byCid.delete(cid);
    },
  };
};

export const createGap = (options: GapOptions): Gap => {
  const { store, deliver } = options;
  const early = createEarly();
  let holds = 0;
  let held = new Set<string>();
  const advance = (slot: Slot, event: SequencedEvent) => {
    slot.seq = event.seq;
    slot.at = event.created_at;
    deliver(event);
  };
  const take = (cid: string, events: readonly SequencedEvent[]) => {
    const slot = store.find(cid);
    if (!slot?.confirmed) return;
    for (const event of events) if (event.seq === slot.seq + 1) advance(slot, event);
    early.drain(slot, advance);
  };
  const filler = createFiller({ ...options, take, isShort: early.has });
  return {
    receive: (event) => {
      const slot = store.find(event.cid);
      if (!slot?.confirmed) return holds > 0 ? early.keep(event) : deliver(event);
      if (held.has(event.cid) || slot.isLost) return early.keep(event);
      if (event.seq <= slot.seq + 1) return take(event.cid, [event]);
      early.keep(event);
      if (!slot.isStale) filler.request(event.cid);
    },
    hold: () => {
      holds += 1;
      return () => {
        if (--holds === 0) early.forget((cid) => !store.confirmed(cid));
      };
    },
    reset: (cid, confirmed, place) => {
      const known = store.find(cid);
      const isOther = isOtherLog(known, place);
      if (known?.confirmed && !isOther && place.seq < known.seq) return false;
      // Early events may belong to the log before; those of this log are asked for.
      if (isOther) early.forget((other) => other === cid);
      held.delete(cid);
      store.set(cid, confirmed, place);
      take(cid, []);
      if (isOther || early.has(cid)) filler.request(cid);
      return true;
    },
    suspend: (cids) => {
      held = new Set(cids);
      early.forget((cid) => held.has(cid));
    },
    resume: () => {
      for (const cid of held) {
        held.delete(cid);
        take(cid, []);
        if (early.has(cid) && !store.find(cid)?.isStale) filler.request(cid);
      }
    },
    catchUp: filler.catchUp,
    clear: () => {
      early.forget(() => true);
      held.clear();
      filler.clear();
    },
  };
};

import type { ChannelStateReply } from '@parley/protocol';
import type { Batch, Readable } from '../readable.ts';
import { createCell } from '../readable.ts';
import { overlay, type PendingOp } from './overlay.ts';
import type { ChannelState, ConfirmedChannel } from './state.ts';

export type LogPlace = Pick<ChannelStateReply, 'seq' | 'log_id' | 'seq_at'>;

/** One channel's place in the store. It exists from the first who asks, filled or not. */
export type Slot = {
  readonly cid: string;
  confirmed: ConfirmedChannel | undefined;
  seq: number;
  /** The id of the log that `seq` counts in. */
  log: string | undefined;
  /** The time at which the event of `seq` was written: it shows whether the server's event of this number is the same. */
  at: string | undefined;
  /** The log cannot be followed any more: events wait, and the next snapshot counts, whatever its seq. */
  isLost: boolean;
  isStale: boolean;
  ops: readonly PendingOp[];
  visible: ChannelState | undefined;
  readonly listeners: Set<() => void>;
};

export type Store = {
  /** The cids of the channels that are filled, in the order they came. */
  readonly active: Readable<readonly string[]>;
  find(cid: string): Slot | undefined;
  confirmed(cid: string): ConfirmedChannel | undefined;
  set(cid: string, confirmed: ConfirmedChannel, place?: LogPlace): void;
  update(cid: string, change: (state: ConfirmedChannel) => ConfirmedChannel): void;
  setStale(cid: string, isStale: boolean): void;
  /** Adds an operation after the others, or puts it in the place of the one with its key. */
  putOp(cid: string, op: PendingOp): void;
  removeOp(cid: string, key: string): void;
  remove(cid: string): void;
  clear(): void;
  readable(cid: string): Readable<ChannelState | undefined>;
};

const show = (slot: Slot): ChannelState | undefined => {
  if (!slot.confirmed) return undefined;
  slot.visible ??= overlay(slot.confirmed, slot.ops, { seq: slot.seq, isStale: slot.isStale });
  return slot.visible;
};

/** The slots by cid, from the first who asks until the last who lets go. */
const createSlots = (batch: Batch) => {
  const slots = new Map<string, Slot>();
  const make = (cid: string): Slot => {
    const listeners = new Set<() => void>();
    const slot: Slot = {
      cid,
      confirmed: undefined,
      seq: 0,
      log: undefined,
      at: undefined,
      isLost: false,
      isStale: false,
      ops: [],
      visible: undefined,
      listeners,
    };
    slots.set(cid, slot);
    return slot;
  };
  const dropIfIdle = (slot: Slot) => {
    const isIdle = !slot.confirmed && slot.listeners.size === 0 && slot.ops.length === 0;
    if (isIdle && slots.get(slot.cid) === slot) slots.delete(slot.cid);
  };
  const touch = (slot: Slot) => {
    slot.visible = undefined;
    batch.touch(slot.listeners);
  };
  return {
    find: (cid: string) => slots.get(cid),
    of: (cid: string): Slot => slots.get(cid) ?? make(cid),
    all: () => [...slots.values()],
    touch,
    setOps: (slot: Slot, ops: readonly PendingOp[]) => {
      slot.ops = ops;
      touch(slot);
      dropIfIdle(slot);
    },
    empty: (slot: Slot) => {
      slot.confirmed = undefined;
      slot.seq = 0;
      slot.isStale = false;
      touch(slot);
      dropIfIdle(slot);
    },
    readable: (cid: string): Readable<ChannelState | undefined> => ({
      get: () => {
        const slot = slots.get(cid);
        return slot && show(slot);
      },
      subscribe: (listener) => {
        const slot = slots.get(cid) ?? make(cid);
        slot.listeners.add(listener);
        return () => {
          slot.listeners.delete(listener);
          dropIfIdle(slot);
        };
      },
    }),
  };
};

export const createStore = (batch: Batch): Store => {
  const slots = createSlots(batch);
  const filled = new Set<string>();
  const active = createCell<readonly string[]>([], batch);
  const set: Store['set'] = (cid, confirmed, place) => {
    const slot = slots.of(cid);
    if (slot.confirmed === confirmed && !place) return;
    slot.confirmed = confirmed;
    if (place) {
      slot.seq = place.seq;
      slot.log = place.log_id;
      slot.at = place.seq_at;
      slot.isStale = slot.isLost = false;
    }
    slots.touch(slot);
    if (filled.has(cid)) return;
    filled.add(cid);
    active.set([...filled]);
  };
  return {
    active,
    find: slots.find,
    confirmed: (cid) => slots.find(cid)?.confirmed,
    set,
    update: (cid, change) => {
      const known = slots.find(cid)?.confirmed;
      if (known) set(cid, change(known));
    },
    setStale: (cid, isStale) => {
      const slot = slots.find(cid);
      if (!slot?.confirmed || slot.isStale === isStale) return;
      slot.isStale = isStale;
      slots.touch(slot);
    },
    putOp: (cid, op) => {
      const slot = slots.of(cid);
      const isKnown = slot.ops.some(({ key }) => key === op.key);
      slots.setOps(
        slot,
        isKnown ? slot.ops.map((known) => (known.key === op.key ? op : known)) : [...slot.ops, op],
      );
    },
    removeOp: (cid, key) => {
      const slot = slots.find(cid);
      const left = slot?.ops.filter((op) => op.key !== key);
      if (slot && left) slots.setOps(slot, left);
    },
    remove: (cid) => {
      const slot = slots.find(cid);
      if (!slot || !filled.delete(cid)) return;
      slots.empty(slot);
      active.set([...filled]);
    },
    clear: () => {
      filled.clear();
      for (const slot of slots.all()) slots.empty(slot);
      active.set([]);
    },
    readable: slots.readable,
  };
};

/** Shows an operation until what it stands for is over, whether it was done or refused. */
export const during = async <T>(
  store: Store,
  cid: string,
  op: PendingOp,
  run: () => Promise<T>,
): Promise<T> => {
  store.putOp(cid, op);
  try {
    return await run();
  } finally {
    store.removeOp(cid, op.key);
  }
};

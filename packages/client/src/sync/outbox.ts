import type { Message, MessageInput } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import { backoff } from '../backoff.ts';
import { type Deferred, deferred } from '../deferred.ts';
import { after, type Clock } from '../environment.ts';

/** A message that is typed and not yet stored by the server. */
export type OutboxEntry = {
  readonly cid: string;
  readonly id: string;
  input: MessageInput;
  readonly createdAt: string;
  status: 'sending' | 'failed';
  error?: ParleyError;
  /** The position of the log when it was stored. */
  seq?: number | undefined;
  /** Gives the part of the input that is not there yet; called before each try until it has. Messages after it wait. */
  rest?: (() => Promise<Partial<MessageInput>>) | undefined;
  /** The server may have it: only another call deletes it. */
  isTried?: boolean;
  /** It was edited here: where a try has stored its earlier text, the server has to be asked to change it. */
  isEdited?: boolean;
  /** Why the server keeps what it said before. */
  refusal?: ParleyError;
};

export type OutboxOptions = {
  /** The same id again gives the stored message: trying twice is safe. */
  deliver(entry: OutboxEntry): Promise<Message>;
  onChange(entry: OutboxEntry): void;
  onSent(entry: OutboxEntry, message: Message): void;
  onGone(entry: OutboxEntry): void;
  clock: Clock;
  random: () => number;
};

export type Outbox = {
  add(entry: OutboxEntry): Promise<Message>;
  all(): readonly OutboxEntry[];
  find(cid: string, id: string): OutboxEntry | undefined;
  /** The entry, if the server cannot have it: it was not tried yet, or was refused. */
  findUnsent(cid: string, id: string): OutboxEntry | undefined;
  /** Changes the input of an entry. */
  change(entry: OutboxEntry, edit: object): void;
  retry(cid: string, id: string): Promise<Message>;
  discard(cid: string, id: string): void;
  /** Resolves when the message has left the outbox; rejects when it was refused. At once if it is not here. */
  settled(cid: string, id: string): Promise<void>;
  /** The network is back: what waits goes now. */
  flush(): void;
  setPaused(isPaused: boolean): void;
  clear(reason: Error): void;
};

type Waiting = OutboxEntry & Deferred<Message>;
type Lane = {
  entries: Waiting[];
  isBusy: boolean;
  /** The network came back during an attempt that may have begun without it: if it fails, the next one does not wait. */
  isWoken: boolean;
  failures: number;
  stopRetry(): void;
};

const withPromise = (entry: OutboxEntry): Waiting => {
  return Object.assign(entry, deferred<Message>());
};

const isFinal = (error: unknown): error is ParleyError => error instanceof ParleyError && !error.retryable;

const failed = (lane: Lane, entry: Waiting, error: ParleyError, options: OutboxOptions) => {
  Object.assign(entry, { status: 'failed', error });
  options.onChange(entry);
  entry.reject(error);
  lane.failures = 0;
};

const change = (options: OutboxOptions, entry: OutboxEntry, edit: object) => {
  entry.input = { ...entry.input, ...edit };
  options.onChange(entry);
};

/** Sends what waits in a lane, oldest first, until it is empty or the network fails. */
const createRunner = (options: OutboxOptions, isPaused: () => boolean) => {
  const attempt = async (lane: Lane, entry: Waiting): Promise<boolean> => {
    try {
      if (entry.rest) {
        // A message that is discarded meanwhile must not hold the others.
        const rest = await Promise.race([entry.rest(), entry.promise]);
        if (!lane.entries.includes(entry)) return true;
        entry.rest = undefined;
        change(options, entry, rest);
        if (isPaused()) return true;
      }
      if (!entry.isTried) {
        entry.isTried = true;
        // After a reload, too, only another call may change what the server may have.
        options.onChange(entry);
      }
      const { input } = entry;
      const message = await options.deliver(entry);
      lane.failures = 0;
      // Edited while it was on its way, it goes once more: the server has what it said before.
      if (!lane.entries.includes(entry) || entry.input !== input) return true;
      leave(lane, entry);
      try {
        options.onSent(entry, message);
      } finally {
        // Stored is stored: a caller who waits must not wait for ever because something failed to show it.
        entry.resolve(message);
      }
      return true;
    } catch (error) {
      if (!lane.entries.includes(entry)) return true;
      if (isFinal(error)) {
        failed(lane, entry, error, options);
        return true;
      }
      lane.failures += 1;
      return lane.isWoken;
    }
  };
  const run = async (lane: Lane): Promise<void> => {
    if (lane.isBusy || isPaused()) return;
    lane.isBusy = true;
    lane.stopRetry();
    let goesOn = true;
    while (goesOn && !isPaused()) {
      const entry = lane.entries.find(({ status }) => status === 'sending');
      if (!entry) break;
      lane.isWoken = false;
      goesOn = await attempt(lane, entry);
    }
    lane.isBusy = false;
    if (goesOn || isPaused()) return;
    lane.stopRetry = after(options.clock, backoff(lane.failures, options.random()), () => void run(lane));
  };
  return run;
};

const leave = (lane: Lane, entry: Waiting) => {
  const index = lane.entries.indexOf(entry);
  if (index >= 0) lane.entries.splice(index, 1);
};

const drop = ({ onGone }: OutboxOptions, lane: Lane, entry: Waiting, reason: Error) => {
  leave(lane, entry);
  onGone(entry);
  entry.reject(reason);
};

const createLane = (): Lane => ({
  entries: [],
  ...{ isBusy: false, isWoken: false, failures: 0, stopRetry: () => {} },
});

/** One lane per channel: messages leave in the order they were typed; a refused one does not stop the next. */
export const createOutbox = (options: OutboxOptions): Outbox => {
  const lanes = new Map<string, Lane>();
  let isPaused = false;
  const run = createRunner(options, () => isPaused);
  const laneOf = (cid: string): Lane => {
    const lane = lanes.get(cid) ?? createLane();
    lanes.set(cid, lane);
    return lane;
  };
  const all = () => [...lanes.values()].flatMap(({ entries }) => entries);
  const find = (cid: string, id: string) => lanes.get(cid)?.entries.find((entry) => entry.id === id);
  const findUnsent = (cid: string, id: string) => {
    const entry = find(cid, id);
    return entry?.isTried && !entry.error ? undefined : entry;
  };
  const runAll = () => {
    for (const lane of lanes.values()) {
      lane.isWoken = true;
      void run(lane);
    }
  };
  return {
    add: (entry) => {
      const [lane, waiting] = [laneOf(entry.cid), withPromise(entry)];
      lane.entries.push(waiting);
      const { isTried } = waiting;
      // A lane that waits for its next try is not woken by a new message: the network is no better for it.
      if (lane.failures === 0) void run(lane);
      // A message that is tried at once was shown by that.
      if (waiting.isTried === isTried) options.onChange(waiting);
      return waiting.promise;
    },
    ...{ all, find, findUnsent, change: (entry, edit) => change(options, entry, edit) },
    retry: (cid, id) => {
      const entry = find(cid, id);
      if (!entry) return Promise.reject(new Error('No such message waits to be sent'));
      if (entry.status === 'failed') {
        withPromise(entry).status = 'sending';
        delete entry.error;
        options.onChange(entry);
      }
      void run(laneOf(cid));
      return entry.promise;
    },
    discard: (cid, id) => {
      const entry = find(cid, id);
      if (entry) drop(options, laneOf(cid), entry, new Error('The message was discarded'));
    },
    settled: async (cid, id) => {
      await find(cid, id)?.promise;
    },
    flush: runAll,
    setPaused: (paused) => {
      isPaused = paused;
      if (paused) for (const lane of lanes.values()) lane.stopRetry();
      else runAll();
    },
    clear: (reason) => {
      for (const lane of lanes.values()) lane.stopRetry();
      for (const entry of all()) drop(options, laneOf(entry.cid), entry, reason);
      lanes.clear();
    },
  };
};

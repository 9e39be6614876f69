import { consoleLog } from './log.ts';

export type Unsubscribe = () => void;

/** One stop for several, the last started first. */
export const stopAll =
  (stops: readonly Unsubscribe[]): Unsubscribe =>
  () => {
    for (const stop of stops.toReversed()) stop();
  };

/** Calls each function, also after one that throws. */
export const callEach = <G extends unknown[]>(
  functions: Iterable<(...given: G) => void>,
  failed: (error: unknown) => void,
  ...given: G
): void => {
  for (const one of [...functions])
    try {
      one(...given);
    } catch (error) {
      failed(error);
    }
};

/** A value that can be read now and listened to; made for one `useSyncExternalStore`. */
export type Readable<T> = {
  /** The value as it is now. */
  get(): T;
  /** Calls the listener after every change; returns the function that ends it. */
  subscribe(listener: () => void): Unsubscribe;
};

export type Cell<T> = Readable<T> & { set(value: T): void };

/** Collects changes and calls each listener once, in the next microtask. */
export type Batch = { touch(listeners: ReadonlySet<() => void>): void; flush(): void };

export const listenerFailed = 'A listener failed';

/** `failed` gets the errors of listeners: one bad listener must not keep the change from the others, nor end the process. */
export const createBatch = (
  schedule: (run: () => void) => void = queueMicrotask,
  failed: (error: unknown) => void = (error) => consoleLog.error(listenerFailed, error),
): Batch => {
  let dirty = new Set<ReadonlySet<() => void>>();
  const flush = () => {
    const due = dirty;
    dirty = new Set();
    for (const listeners of due) callEach(listeners, failed);
  };
  return {
    touch: (listeners) => {
      if (listeners.size === 0) return;
      if (dirty.size === 0) schedule(flush);
      dirty.add(listeners);
    },
    flush,
  };
};

const subscribeTo =
  <T>(listeners: Set<T>) =>
  (listener: T): Unsubscribe => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };

export const createCell = <T>(initial: T, batch: Batch): Cell<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      batch.touch(listeners);
    },
    subscribe: subscribeTo(listeners),
  };
};

/** Recomputed only when the source has another value; an equal result keeps its identity by `isEqual`. */
export const derived = <S, T>(
  source: Readable<S>,
  select: (value: S) => T,
  isEqual: (a: T, b: T) => boolean = Object.is,
): Readable<T> => {
  let seen: { from: S; value: T } | undefined;
  const get = (): T => {
    const from = source.get();
    if (seen && Object.is(seen.from, from)) return seen.value;
    const value = select(from);
    seen = { from, value: seen && isEqual(seen.value, value) ? seen.value : value };
    return seen.value;
  };
  return {
    get,
    subscribe: (listener) => {
      let last = get();
      return source.subscribe(() => {
        const next = get();
        if (Object.is(next, last)) return;
        last = next;
        listener();
      });
    },
  };
};

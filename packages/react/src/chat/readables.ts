import type { Readable } from '@parley/client';

export const constant = <T>(value: T): Readable<T> => ({ get: () => value, subscribe: () => () => {} });

export type Box<T> = Readable<T> & { set(value: T): void };

/** A value of the interface itself, read like those of the client. */
export const createBox = <T>(initial: T): Box<T> => {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** One number made of several values; it has to be a primitive, so that it can be compared. */
export const summed = <T>(parts: readonly Readable<T>[], count: (value: T) => number): Readable<number> => ({
  get: () => parts.reduce((sum, part) => sum + count(part.get()), 0),
  subscribe: (listener) => {
    const stops = parts.map((part) => part.subscribe(listener));
    return () => {
      for (const stop of stops) stop();
    };
  },
});

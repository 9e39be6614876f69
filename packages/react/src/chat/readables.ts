import type { Feature, Readable } from '@parley/client';

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

/** A value of the interface that belongs to the user of a client: it has its first value again after sign-out. */
export const userBox = <T>(name: string, initial: T): Feature<Box<T>> => ({
  name,
  create: ({ resets }) => {
    const box = createBox(initial);
    resets.push(() => box.set(initial));
    return box;
  },
});

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

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Equal by content; for the small plain values that selectors make. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]));
}

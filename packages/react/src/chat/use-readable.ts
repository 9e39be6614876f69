import type { Readable } from '@parley/client';
import { useRef, useSyncExternalStore } from 'react';

type Latest<T, S> = { from: T; select: (value: T) => S; value: S };

const itself = (value: unknown) => value;

/**
 * The one way by which components read the client. Renders again only when the result of `select` is not equal to the last by `isEqual`.
 * `readable` has to stay the same object between renders.
 */
export function useReadable<T, S = T>(
  readable: Readable<T>,
  select: (value: T) => S = itself as (value: T) => S,
  isEqual: (a: S, b: S) => boolean = Object.is,
): S {
  const latest = useRef<Latest<T, S>>(undefined);
  const read = (): S => {
    const from = readable.get();
    const last = latest.current;
    if (last && Object.is(last.from, from) && last.select === select) return last.value;
    const next = select(from);
    const value = last && isEqual(last.value, next) ? last.value : next;
    latest.current = { from, select, value };
    return value;
  };
  return useSyncExternalStore(readable.subscribe, read, read);
}

export type Lru<K, V> = {
  /** The value of a key, which becomes the newest. */
  get(key: K): V | undefined;
  /** Reads without making the entry the newest. */
  peek(key: K): V | undefined;
  /** Stores a value as the newest; the oldest goes where there are too many. */
  set(key: K, value: V): void;
  /** Removes a key. */
  delete(key: K): void;
  /** Removes everything. */
  clear(): void;
  readonly size: number;
};

/** Keeps the `capacity` entries used last. A capacity of zero would be a cache that forgets everything: refused. */
export const createLru = <K, V>(capacity: number): Lru<K, V> => {
  if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError('The cache size must not be zero');
  const entries = new Map<K, V>();
  return {
    get: (key) => {
      const value = entries.get(key);
      if (value !== undefined) {
        entries.delete(key);
        entries.set(key, value);
      }
      return value;
    },
    peek: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= capacity) return;
      const oldest = entries.keys().next();
      if (!oldest.done) entries.delete(oldest.value);
    },
    delete: (key) => {
      entries.delete(key);
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
};

/** A map that forgets what was not used for long. It keeps two generations: what is used moves into the young one, and when that
 * is full the old one goes. To read is then one look, where an exact order of use would rewrite the map each time. */
export const createLru = <V>(size: number) => {
  const half = Math.max(1, Math.ceil(size / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  const set = (key: string, value: V): void => {
    if (young.size >= half && !young.has(key)) {
      old = young;
      young = new Map();
    }
    old.delete(key);
    young.set(key, value);
  };
  return {
    get(key: string): V | undefined {
      const value = young.get(key);
      if (value !== undefined) return value;
      const older = old.get(key);
      if (older !== undefined) set(key, older);
      return older;
    },
    set,
    delete(key: string): boolean {
      const wasYoung = young.delete(key);
      return old.delete(key) || wasYoung;
    },
    clear(): void {
      young.clear();
      old.clear();
    },
    /** The entries, the youngest last. */
    *entries(): Iterable<[string, V]> {
      yield* old;
      yield* young;
    },
    get size() {
      return young.size + old.size;
    },
  };
};

/** A map that forgets what was used longest ago. */
export const createLru = <V>(size: number) => {
  const map = new Map<string, V>();
  return {
    get(key: string): V | undefined {
      const value = map.get(key);
      if (value !== undefined) {
        map.delete(key);
        map.set(key, value);
      }
      return value;
    },
    set(key: string, value: V): void {
      map.delete(key);
      map.set(key, value);
      if (map.size > size) {
        const oldest = map.keys().next();
        if (!oldest.done) map.delete(oldest.value);
      }
    },
    delete: (key: string) => map.delete(key),
    clear: () => map.clear(),
    get size() {
      return map.size;
    },
  };
};

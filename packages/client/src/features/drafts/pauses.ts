/** What must not change for a moment, and what waits for its end. */
export const createPauses = () => {
  const waiting = new Map<string, (() => void)[]>();
  return {
    has: (key: string): boolean => waiting.has(key),
    /** True where it waits now. */
    postpone: (key: string, act: () => void): boolean => {
      waiting.get(key)?.push(act);
      return waiting.has(key);
    },
    begin: (key: string): void => void waiting.set(key, waiting.get(key) ?? []),
    end: (key: string): void => {
      const acts = waiting.get(key) ?? [];
      waiting.delete(key);
      for (const act of acts) act();
    },
  };
};

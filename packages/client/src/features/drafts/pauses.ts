/** Pauses of single drafts, and the changes that wait for their end. */
export const createPauses = () => {
  const waiting = new Map<string, (() => void)[]>();
  return {
    clear: (): void => waiting.clear(),
    has: (key: string): boolean => waiting.has(key),
    /** True where it waits now. */
    postpone: (key: string, act: () => void): boolean => {
      waiting.get(key)?.push(act);
      return waiting.has(key);
    },
    /** Returns the end: then what waited is done, and `onEnd` after it. After a sign-out it ends nothing, also no pause of the next user. */
    begin: (key: string, onEnd: () => void): (() => void) => {
      const acts = waiting.get(key) ?? [];
      waiting.set(key, acts);
      return () => {
        if (waiting.get(key) !== acts) return;
        waiting.delete(key);
        for (const act of [...acts, onEnd]) act();
      };
    },
  };
};

/** Answers that are on their way, and what changes meanwhile: they may have been read before it. */
export type Missed<T> = {
  /** Notes a change for every answer that is on its way. */
  note(change: (value: T) => T): void;
  /** Makes a call. `catchUp` applies what has changed since to its answer. */
  during<R>(run: () => Promise<R>): Promise<{ reply: R; catchUp(value: T): T }>;
};

export const createMissed = <T>(): Missed<T> => {
  const open = new Set<((value: T) => T)[]>();
  return {
    note: (change) => {
      for (const changes of open) changes.push(change);
    },
    during: async (run) => {
      const changes: ((value: T) => T)[] = [];
      open.add(changes);
      try {
        const reply = await run();
        return { reply, catchUp: (value) => changes.reduce((known, change) => change(known), value) };
      } finally {
        open.delete(changes);
      }
    },
  };
};

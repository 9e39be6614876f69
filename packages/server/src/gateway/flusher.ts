export type Flushable = { flush(): void };

/** Collects whoever has something to write and lets each write once per turn of the event loop. */
export const createFlusher = () => {
  let dirty: Flushable[] = [];
  let scheduled = false;
  const run = () => {
    scheduled = false;
    const list = dirty;
    dirty = [];
    for (const one of list) one.flush();
  };
  return {
    add(one: Flushable): void {
      dirty.push(one);
      if (scheduled) return;
      scheduled = true;
      setImmediate(run);
    },
  };
};
export type Flusher = ReturnType<typeof createFlusher>;

let lastList: Buffer[] = [];
let lastJoined: Buffer | undefined;

const sameList = (a: Buffer[], b: Buffer[]): boolean => {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
};

/** The buffers as one. Watchers of one channel are due the same frames in a turn: they share the joined bytes. */
export const joinBuffers = (list: Buffer[]): Buffer => {
  const [only] = list;
  if (list.length === 1 && only) return only;
  if (lastJoined && sameList(list, lastList)) return lastJoined;
  lastList = list;
  lastJoined = Buffer.concat(list);
  return lastJoined;
};

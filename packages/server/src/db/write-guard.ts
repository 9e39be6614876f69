import { AsyncLocalStorage } from 'node:async_hooks';

type Write = { isOpen: boolean };

/** Set only under test: in Node 20 it costs every promise of the process a hook. */
const writes = process.env.NODE_ENV === 'test' ? new AsyncLocalStorage<Write>() : undefined;

/** Runs the body of a transaction. Until it ends, under test, no second connection can be asked for. */
export const guardWrite = async <T>(run: () => Promise<T>): Promise<T> => {
  if (!writes) return run();
  const write = { isOpen: true };
  try {
    return await writes.run(write, run);
  } finally {
    // Work that the transaction started and did not wait for may use the pool once the connection is free again.
    write.isOpen = false;
  }
};

/** A transaction that waits for a second connection deadlocks with as many others as the pool has connections. */
export const refuseInsideWrite = (): void => {
  if (writes?.getStore()?.isOpen)
    throw new Error('Inside a transaction only tx.db may be used: a second connection may never come');
};

export type Deferred<T> = { promise: Promise<T>; resolve(value: T): void; reject(error: Error): void };

/** A promise settled from outside. One that nobody waits for may fail without being reported as unhandled. */
export const deferred = <T>(): Deferred<T> => {
  let resolve: (value: T) => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { promise, resolve, reject };
};

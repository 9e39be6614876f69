type Answer<T> = T | false | undefined;

const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** Fails with `what` where one step of a long test does not end. Such a test has no limit of its own: how many steps a busy machine
 * makes in a minute says nothing about the product. */
export const within = async <T>(step: Promise<T>, what: string, ms = 60_000): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Waited ${ms} ms in vain for ${what}`)), ms);
  try {
    return await Promise.race([step, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** Waits until `check` answers, at once or by a promise, with something other than false or undefined; fails with `what` after a while. */
export const until = async <T>(
  check: () => Answer<T> | PromiseLike<Answer<T>>,
  what = 'the condition',
  ms = 20_000,
): Promise<T> => {
  const end = Date.now() + ms;
  for (;;) {
    const answer = check();
    const value = isPromise(answer) ? await answer : answer;
    if (value !== false && value !== undefined) return value;
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

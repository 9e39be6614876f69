type Answer<T> = T | false | undefined;

const isPromise = <T>(value: T | PromiseLike<T>): value is PromiseLike<T> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

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

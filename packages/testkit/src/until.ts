/** Waits until `check` gives something other than false or undefined; fails with `what` after a while. */
export const until = async <T>(
  check: () => T | false | undefined,
  what = 'the condition',
  ms = 20_000,
): Promise<T> => {
  const end = Date.now() + ms;
  for (;;) {
    const value = check();
    if (value !== false && value !== undefined) return value;
    if (Date.now() > end) throw new Error(`Waited ${ms} ms in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

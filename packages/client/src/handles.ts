import type { Core } from './core.ts';

/** Lets a feature make any number of handles; those that are open when the user signs out are stopped. */
export const createHandles = <G extends unknown[], H extends { stop(): void }>(
  { resets }: Pick<Core, 'resets'>,
  make: (...given: G) => H,
): ((...given: G) => H) => {
  const open = new Set<H>();
  resets.push(() => {
    for (const handle of [...open]) handle.stop();
  });
  return (...given) => {
    const made = make(...given);
    const handle: H = {
      ...made,
      stop: () => {
        open.delete(handle);
        made.stop();
      },
    };
    open.add(handle);
    return handle;
  };
};

import type { Core } from './core.ts';
import { callEach } from './readable.ts';

/** Lets a feature make any number of handles; those that are open when the user signs out are stopped. */
export const createHandles = <G extends unknown[], H extends { stop(): void }>(
  { resets, log }: Pick<Core, 'resets' | 'log'>,
  make: (...given: G) => H,
): ((...given: G) => H) => {
  const open = new Set<H>();
  resets.push(() =>
    callEach(
      [...open].map(({ stop }) => stop),
      (error) => log.error('A handle could not be stopped', error),
    ),
  );
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

import type { Core } from './core.ts';
import { NetworkError } from './http/network-error.ts';
import type { Late } from './late.ts';
import { lateTools } from './late-tools.ts';

const made = new WeakMap<Core, Promise<Late>>();
const ready = new WeakMap<Core, Late>();

/** Makes the late part once for each client; one that could not be loaded is loaded again by the next call. */
const load = (core: Core): Promise<Late> => {
  const known = made.get(core);
  if (known) return known;
  const loading = import('./late.ts').then(
    ({ createLate }) => {
      const parts = createLate(core, lateTools);
      ready.set(core, parts);
      return parts;
    },
    (cause) => {
      made.delete(core);
      throw new NetworkError('A part of the client could not be loaded', { cause });
    },
  );
  made.set(core, loading);
  return loading;
};

/** The named calls of a part of the client that is loaded when one of them is first made. */
export const late = <K extends keyof Late>(core: Core, part: K, names: string): Late[K] => {
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      // Once the part is loaded nothing is awaited: a change shows in the same turn.
      const calls = (ready.get(core) ?? (await load(core)))[part] as Record<
        string,
        (...given: unknown[]) => unknown
      >;
      return calls[name]?.(...given);
    };
  return Object.fromEntries(names.split(' ').map((name) => [name, call(name)])) as Late[K];
};

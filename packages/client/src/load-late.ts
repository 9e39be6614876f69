import type { Core } from './core.ts';
import { NetworkError } from './http/network-error.ts';
import type { Late } from './late.ts';
import { lateTools } from './late-tools.ts';

/** The named calls of a part of the client that is loaded when one of them is first made. */
export const late = <K extends keyof Late>(core: Core, part: K, names: string): Late[K] => {
  const load = async () => {
    try {
      return (await import('./late.ts')).createLate(core, lateTools)[part];
    } catch (cause) {
      throw new NetworkError('A part of the client could not be loaded', { cause });
    }
  };
  const call =
    (name: string) =>
    async (...given: unknown[]) => {
      const calls = (await load()) as Record<string, (...given: unknown[]) => unknown>;
      return calls[name]?.(...given);
    };
  return Object.fromEntries(names.split(' ').map((name) => [name, call(name)])) as Late[K];
};

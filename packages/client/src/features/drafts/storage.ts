import type { DeviceStorage } from '../../browser.ts';
import type { DraftContent } from './content.ts';

/** The part of a draft that a reload must not lose: text that is not on the server yet, or is being sent as a message. */
export type Kept = {
  content: DraftContent;
  base: string;
  baseFiles?: readonly string[];
  tried?: readonly DraftContent[];
  version: number;
  at: string;
};

const prefixOf = (userId: string): string => `parley draft ${userId} `;

export const createKeep = (storage: DeviceStorage | undefined) => ({
  put: (userId: string, key: string, kept: Kept): void => {
    try {
      storage?.setItem(prefixOf(userId) + key, JSON.stringify(kept));
    } catch {
      // A full or forbidden storage: the server's copy remains.
    }
  },
  remove: (userId: string, key: string): void => storage?.removeItem(prefixOf(userId) + key),
  all: (userId: string): [key: string, kept: Kept][] => {
    const found: [string, Kept][] = [];
    const prefix = prefixOf(userId);
    for (let index = 0; index < (storage?.length ?? 0); index++) {
      const name = storage?.key(index);
      if (!name?.startsWith(prefix)) continue;
      try {
        const kept: Kept = JSON.parse(storage?.getItem(name) ?? '');
        if (typeof kept.content.text === 'string') found.push([name.slice(prefix.length), kept]);
      } catch {
        // The entry is not ours, or was cut off: there is nothing to read.
      }
    }
    return found;
  },
});

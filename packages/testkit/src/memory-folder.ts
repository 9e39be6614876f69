import { mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** The databases of a whole run take less than a third of the least. */
const usual = { memory: '/dev/shm', leastFree: 6 * 2 ** 30 };
/** No run takes so long: what is older belonged to one that was killed. */
const oldestMs = 6 * 3_600_000;

const freeIn = (folder: string): number => {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
};

const removeOld = (folder: string): void => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith('parley-'))) {
    const path = join(folder, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - oldestMs) rmSync(path, { recursive: true, force: true });
  }
};

/**
 * A folder for a database of tests: in memory where there is plenty, otherwise among the temporary files. To copy and drop a test's
 * database takes 20 ms of processor time there, and 58 to 84 on a disk.
 */
export const makeDatabaseFolder = (prefix: string, { memory, leastFree } = usual): string => {
  if (freeIn(memory) < leastFree) return mkdtempSync(join(tmpdir(), prefix));
  removeOld(memory);
  return mkdtempSync(join(memory, prefix));
};

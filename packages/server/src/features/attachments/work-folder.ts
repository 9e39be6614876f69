import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '../../kernel/kernel.ts';

const leftMs = 24 * 3_600_000;

/** The folder that holds pictures while they are encoded again. */
export const workFolder = ({ config }: Kernel): string =>
  config.storage.kind === 'disk'
    ? join(config.storage.root, 'conversions')
    : join(tmpdir(), 'parley-conversions');

/** Removes half-made pictures of a process that died. */
const sweepWorkFolder = async (kernel: Kernel): Promise<void> => {
  const folder = workFolder(kernel);
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && kernel.clock.now() - found.mtimeMs > leftMs)
      await rm(path, { recursive: true, force: true });
  }
};

/** Sweeps once. Its stop waits for nothing: the next server that starts sweeps again. */
export const startWorkFolderSweep = (kernel: Kernel): (() => Promise<void>) => {
  sweepWorkFolder(kernel).catch((error: unknown) => kernel.log.warn({ err: error }, 'the work folder stays'));
  return async () => {};
};

import type { Kernel } from '../../kernel/kernel.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Storage } from '../../storage/storage.ts';
import { createDueJob } from '../../work/due-job.ts';
import type { FileHooks } from './hooks.ts';
import { type ClaimedFile, claimFiles, deleteFile, keepFiles, markUnneeded } from './store.ts';

const leaseMs = 60_000;
const batch = 50;
const hourMs = 3_600_000;

/** Files that nobody used since this time are removed. */
const oldest = ({ clock, config }: Kernel): string =>
  isoTime(clock.now() - config.uploads.orphanHours * hourMs);

/** The ids of those files that other features still name. Of a file that was attached only the texts of its uploader count:
 * otherwise a stranger who knows its URL could keep it from being removed. */
const findNamed = ({ pools }: Kernel, hooks: FileHooks, files: ClaimedFile[]): Promise<Set<string>> =>
  // All answers are of one moment: a URL that moves from a draft to a picture between two of them would be in neither.
  pools.background
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const named = new Set<string>();
      let asked = files.map(({ id, user_id, was_attached }) => ({
        id,
        writer: was_attached ? user_id : null,
      }));
      for (const find of hooks.namedFiles.answers) {
        if (asked.length === 0) break;
        for (const id of await find(snapshot, asked)) named.add(id);
        asked = asked.filter(({ id }) => !named.has(id));
      }
      return named;
    });

type Deps = { kernel: Kernel; storage: Storage; hooks: FileHooks };

/** Removes files that nobody needs, for good. The database holds all that it has to know, so a restart loses nothing. */
export const createCollector = ({ kernel, storage, hooks }: Deps) => {
  let isStopped = false;

  const remove = async (id: string): Promise<void> => {
    if (!(await markUnneeded(kernel.pools.background, id, oldest(kernel)))) return;
    await storage.remove(id);
    await storage.remove(`${id}.thumb`);
    await deleteFile(kernel.pools.background, id);
  };

  const run = async (): Promise<boolean> => {
    const now = kernel.clock.now();
    const due = await claimFiles(kernel.pools.background, {
      now: isoTime(now),
      leasedUntil: isoTime(now + leaseMs),
      unusedSince: oldest(kernel),
      most: batch,
    });
    const ready = due.filter(({ state }) => state === 'ready');
    const named = ready.length > 0 ? await findNamed(kernel, hooks, ready) : new Set<string>();
    if (named.size > 0) await keepFiles(kernel.pools.background, [...named], kernel.now());
    for (const { id } of due) {
      if (isStopped) return false;
      if (!named.has(id)) await remove(id);
    }
    return due.length > 0;
  };

  // Nobody waits for a file to be removed: the job looks every five seconds, and asks for no time.
  const job = createDueJob(kernel, { name: 'files', next: async () => undefined, run });

  return {
    /** Removes one file whose row says so already; the next round repeats what fails here. */
    removeNow: (id: string): Promise<void> =>
      remove(id).catch((error: unknown) => kernel.log.warn({ err: error }, 'a file is removed later')),
    start: (): (() => Promise<void>) => {
      const stop = job.start();
      return () => {
        // A stop waits for one file at most; the lease of the others ends by itself.
        isStopped = true;
        return stop();
      };
    },
  };
};
export type Collector = ReturnType<typeof createCollector>;

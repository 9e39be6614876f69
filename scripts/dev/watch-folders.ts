import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

const foldersIn = (folder: string): string[] => [
  folder,
  ...readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap((entry) => foldersIn(join(folder, entry.name))),
];

/** Calls back once a burst of changes below the folders has settled. Returns the stop.
 * Each folder is watched by itself: Node's recursive watch loses files on Linux that an editor saves by renaming. */
export const watchFolders = (roots: string[], onChange: () => void, settleMs = 100): (() => void) => {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;

  const refresh = (): void => {
    const present = new Set(roots.flatMap(foldersIn));
    for (const [folder, watcher] of watchers) {
      if (present.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of present) {
      if (watchers.has(folder)) continue;
      const watcher = watch(folder, (_event, name) => {
        if (name === null || !/\.test\.tsx?$|~$|\.sw[px]$/.test(name)) note();
      });
      watcher.on('error', () => {});
      watchers.set(folder, watcher);
    }
  };
  const note = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      refresh();
      onChange();
    }, settleMs);
  };

  refresh();
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
};

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ignored = new Set(['node_modules', 'dist', 'coverage']);
const isSource = (name: string): boolean => !ignored.has(name) && !/\.test\.tsx?$/.test(name);

const listIn = (folder: string): string[] => {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => isSource(entry.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? listIn(path) : [path];
    });
};

/** Changes whenever a file that something is built from does. By time and size: reading them all would cost too much. */
export const sourceStamp = (root: string, folders: readonly string[]): string => {
  const hash = createHash('sha256');
  const files = [...folders.flatMap((folder) => listIn(join(root, folder))), join(root, 'package-lock.json')];
  for (const file of files.sort()) {
    const found = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file}\0${found?.mtimeMs}\0${found?.size}\n`);
  }
  return hash.digest('hex');
};

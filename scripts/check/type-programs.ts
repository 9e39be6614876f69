import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Settings = {
  extends?: string;
  compilerOptions?: Record<string, unknown>;
  include?: string[];
  exclude?: string[];
};

export type Program = { name: string; config: string };

const settingsOf = (root: string, folder: string): Settings =>
  JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as Settings;

const keyOf = ({ compilerOptions = {} }: Settings): string =>
  JSON.stringify(Object.entries(compilerOptions).sort(([one], [other]) => one.localeCompare(other)));

const within = (folder: string, paths: string[] = []): string[] =>
  paths.map((path) => join('..', '..', folder, path));

/**
 * Projects import each other's sources, so that each would check those of the ones below it again. Projects with the
 * same compiler options are one program instead, and see no more globals than each would alone.
 */
export const typePrograms = (root: string, folders: readonly string[]): Program[] => {
  const cache = join(root, '.cache', 'types');
  mkdirSync(cache, { recursive: true });
  const groups = Map.groupBy(folders, (folder) => keyOf(settingsOf(root, folder)));
  return [...groups.values()].map((group) => {
    const [alone] = group;
    if (alone !== undefined && group.length === 1) return { name: alone, config: join(root, alone) };
    const all = group.map((folder) => ({ folder, settings: settingsOf(root, folder) }));
    const name = group.join(', ');
    const config = join(cache, `${group.join('+').replaceAll('/', '-')}.json`);
    const settings: Settings = {
      extends: '../../tsconfig.base.json',
      compilerOptions: { ...all[0]?.settings.compilerOptions },
      include: all.flatMap(({ folder, settings: { include } }) => within(folder, include)),
      exclude: all.flatMap(({ folder, settings: { exclude } }) => within(folder, exclude)),
    };
    writeFileSync(config, `${JSON.stringify(settings, null, 2)}\n`);
    return { name, config };
  });
};

import { join } from 'node:path';
import type { Check } from './outcome.ts';
import { foldersIn, readText, readTextIfAny } from './source-files.ts';

type Manifest = Partial<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>
>;

const exactVersion = /^\d+\.\d+\.\d+(-[\w.]+)?$/;

/** Peer dependencies may be ranges: the embedder chooses. */
export const pinProblems = (path: string, text: string): string[] => {
  const manifest = JSON.parse(text) as Manifest;
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
  return Object.entries(all)
    .filter(([, version]) => !exactVersion.test(version))
    .map(([name, version]) => `${path}: ${name} "${version}" is not an exact version`);
};

const manifests = (root: string): string[] => [
  'package.json',
  'tests/package.json',
  ...['packages', 'apps'].flatMap((home) =>
    foldersIn(join(root, home)).map((name) => `${home}/${name}/package.json`),
  ),
];

export const lockFile: Check = {
  name: 'lock file and pins',
  run: async (root) => {
    const hosts = readText(root, 'package-lock.json').match(/"resolved": "https?:/g)?.length ?? 0;
    const pins = manifests(root).flatMap((path) => {
      const text = readTextIfAny(root, path);
      return text === undefined ? [] : pinProblems(path, text);
    });
    const resolved = hosts > 0 ? [`package-lock.json names a registry host in ${hosts} places`] : [];
    return { problems: [...resolved, ...pins] };
  },
};

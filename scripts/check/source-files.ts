import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const notOurs = new Set(['node_modules', 'dist', 'coverage', 'test-results', 'playwright-report']);
const homes = ['packages', 'apps', 'tests', 'scripts', 'demo'];

const entriesOf = (directory: string) => {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
};

const walk = (directory: string): string[] =>
  entriesOf(directory).flatMap((entry) => {
    if (entry.name.startsWith('.') || notOurs.has(entry.name)) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return walk(path);
    return entry.isFile() ? [path] : [];
  });

/** Every file of ours with one of the extensions, as a path from the root with forward slashes. */
export const listFiles = (root: string, extensions: string[]): string[] =>
  homes
    .flatMap((home) => walk(join(root, home)))
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .map((path) => relative(root, path).split(sep).join('/'))
    .sort();

/** The pages of documentation: at the root, in `docs`, and beside the code that they describe. */
export const listPages = (root: string): string[] => [
  ...entriesOf(root).flatMap((entry) => (entry.isFile() && entry.name.endsWith('.md') ? [entry.name] : [])),
  ...walk(join(root, 'docs'))
    .filter((path) => path.endsWith('.md'))
    .map((path) => relative(root, path).split(sep).join('/')),
  ...listFiles(root, ['.md']),
];

export const foldersIn = (directory: string): string[] =>
  entriesOf(directory)
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();

export const readText = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

/** Undefined where the file is not there. */
export const readTextIfAny = (root: string, path: string): string | undefined => {
  try {
    return readText(root, path);
  } catch {
    return undefined;
  }
};

export const isTestFile = (path: string): boolean =>
  /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('tests/');

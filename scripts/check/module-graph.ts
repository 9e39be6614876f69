import { dirname, join, normalize } from 'node:path/posix';
import { type ImportRef, importsOf } from './scan.ts';
import { foldersIn, listFiles, readText, readTextIfAny } from './source-files.ts';

/** `to` is the file of ours it resolves to; absent for dependencies and for what no `exports` offers. */
export type Edge = ImportRef & { from: string; to?: string };
export type Workspace = { name: string; folder: string; entries: Map<string, string> };
export type ModuleGraph = { files: string[]; edges: Map<string, Edge[]>; workspaces: Workspace[] };

const workspaceFolders = (root: string): string[] => [
  ...foldersIn(join(root, 'packages')).map((name) => `packages/${name}`),
  ...foldersIn(join(root, 'apps')).map((name) => `apps/${name}`),
  'tests',
];

type Manifest = { name: string; exports?: Record<string, string> };

const readWorkspace = (root: string, folder: string): Workspace[] => {
  const text = readTextIfAny(root, `${folder}/package.json`);
  if (text === undefined) return [];
  const manifest = JSON.parse(text) as Manifest;
  const entries = Object.entries(manifest.exports ?? {}).map(([key, target]): [string, string] => [
    join(manifest.name, key),
    join(folder, target),
  ]);
  return [{ name: manifest.name, folder, entries: new Map(entries) }];
};

export const workspaceOf = (graph: ModuleGraph, file: string): Workspace | undefined =>
  graph.workspaces.find((workspace) => file.startsWith(`${workspace.folder}/`));

const resolve = (workspaces: Workspace[], from: string, specifier: string): string | undefined => {
  if (specifier.startsWith('.')) return normalize(join(dirname(from), specifier.replace(/\?.*$/, '')));
  for (const workspace of workspaces) {
    const entry = workspace.entries.get(specifier);
    if (entry !== undefined) return entry;
  }
  return undefined;
};

/** All modules of the repository and what each names; package names resolve through `exports`. */
export const readModuleGraph = (root: string): ModuleGraph => {
  const workspaces = workspaceFolders(root).flatMap((folder) => readWorkspace(root, folder));
  const files = listFiles(root, ['.ts', '.tsx', '.mjs']);
  const edges = new Map<string, Edge[]>();
  for (const from of files) {
    const found = importsOf(from, readText(root, from)).map((reference): Edge => {
      const to = resolve(workspaces, from, reference.specifier);
      return to === undefined ? { ...reference, from } : { ...reference, from, to };
    });
    edges.set(from, found);
  }
  return { files, edges, workspaces };
};

import { type ModuleGraph, readModuleGraph } from './module-graph.ts';
import type { Check } from './outcome.ts';
import { isTestFile } from './source-files.ts';

/** The folders of each package in layers, lowest first, as ARCHITECTURE.md names them. Files of the root are above all of them. */
const layersOf: Record<string, string[]> = {
  'packages/server/src/': [
    ...['lib', 'bus', 'storage', 'db', 'query', 'config', 'events', 'cluster', 'kernel', 'work'],
    ...['auth', 'access', 'hub', 'http', 'wiring', 'features', 'gateway', 'demo'],
  ],
  'packages/react/src/': [
    ...['i18n', 'theme', 'ui', 'chat', 'connection', 'markdown', 'list', 'summary'],
    ...['features', 'conversation'],
  ],
};

/** Records and texts that tests are made of. */
const ofTests = 'testing';

const folderOf = (home: string, file: string): string | undefined => {
  const [folder, ...rest] = file.startsWith(home) ? file.slice(home.length).split('/') : [];
  return rest.length > 0 ? folder : undefined;
};

const problemsOf = (graph: ModuleGraph, home: string, layers: string[]): string[] => {
  const files = graph.files.filter(
    (file) => file.startsWith(home) && !isTestFile(file) && folderOf(home, file) !== ofTests,
  );
  const folders = new Set(files.flatMap((file) => folderOf(home, file) ?? []));
  const unlisted = [...folders]
    .filter((folder) => !layers.includes(folder))
    .map((folder) => `${home}${folder} is in no layer of scripts/check/layers.ts`);
  const upward = files
    .flatMap((file) => graph.edges.get(file) ?? [])
    .flatMap(({ from, to = '', line }) => {
      const [own, other] = [folderOf(home, from), folderOf(home, to)];
      if (own === undefined || !to.startsWith(home) || own === other) return [];
      if (other !== undefined && layers.includes(other) && layers.indexOf(other) < layers.indexOf(own))
        return [];
      return [`${from}:${line} imports ${other ?? to}, which is above ${own}`];
    });
  return [...unlisted, ...upward];
};

export const layerProblems = (graph: ModuleGraph): string[] =>
  Object.entries(layersOf).flatMap(([home, layers]) => problemsOf(graph, home, layers));

/** A layer imports only those below it; where it needs something from above, it names the shape that it needs. */
export const layers: Check = {
  name: 'layers',
  run: async (root) => ({ problems: layerProblems(readModuleGraph(root)) }),
};

import { type ModuleGraph, readModuleGraph } from './module-graph.ts';
import type { Check } from './outcome.ts';
import { isTestFile } from './source-files.ts';

const home = 'packages/server/src/';

/** The folders of the server, lowest first, as ARCHITECTURE.md names them. Files of the root are above all of them. */
const layers = [
  ...['lib', 'bus', 'storage', 'db', 'query', 'config', 'events', 'cluster', 'kernel', 'work'],
  ...['auth', 'access', 'hub', 'http', 'wiring', 'features', 'gateway', 'demo'],
];

const layerOf = (file: string): string | undefined => {
  const [folder, ...rest] = file.startsWith(home) ? file.slice(home.length).split('/') : [];
  return rest.length > 0 ? folder : undefined;
};

export const layerProblems = (graph: ModuleGraph): string[] => {
  const files = graph.files.filter((file) => file.startsWith(home) && !isTestFile(file));
  const folders = new Set(files.flatMap((file) => layerOf(file) ?? []));
  const unlisted = [...folders]
    .filter((folder) => !layers.includes(folder))
    .map((folder) => `${home}${folder} is in no layer of scripts/check/server-layers.ts`);
  const upward = files
    .flatMap((file) => graph.edges.get(file) ?? [])
    .flatMap(({ from, to = '', line }) => {
      const [own, other] = [layerOf(from), layerOf(to)];
      if (own === undefined || !to.startsWith(home) || own === other) return [];
      if (other !== undefined && layers.indexOf(other) < layers.indexOf(own)) return [];
      return [`${from}:${line} imports ${other ?? to}, which is above ${own}`];
    });
  return [...unlisted, ...upward];
};

/** A layer imports only those below it; where it needs something from above, it names the shape that it needs. */
export const serverLayers: Check = {
  name: 'layers of the server',
  run: async (root) => ({ problems: layerProblems(readModuleGraph(root)) }),
};

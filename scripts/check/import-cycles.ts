import { dirname } from 'node:path/posix';
import { type Edge, type ModuleGraph, readModuleGraph } from './module-graph.ts';
import type { Check } from './outcome.ts';
import { isTestFile } from './source-files.ts';

const neighbours = (graph: ModuleGraph, file: string): string[] =>
  (graph.edges.get(file) ?? []).flatMap((edge) => (edge.to === undefined ? [] : [edge.to]));

/** The shortest way from a file back to itself, or undefined. */
const wayBack = (graph: ModuleGraph, start: string): string[] | undefined => {
  const cameFrom = new Map<string, string>();
  let frontier = [start];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const file of frontier) {
      for (const neighbour of neighbours(graph, file)) {
        if (neighbour === start) return [...trail(cameFrom, file), start];
        if (cameFrom.has(neighbour)) continue;
        cameFrom.set(neighbour, file);
        next.push(neighbour);
      }
    }
    frontier = next;
  }
  return undefined;
};

const trail = (cameFrom: Map<string, string>, last: string): string[] => {
  const files = [last];
  for (let file = cameFrom.get(last); file !== undefined; file = cameFrom.get(file)) files.unshift(file);
  return files;
};

/** One shortest cycle for each file that is in any, each cycle once; type imports count. */
export const findCycles = (graph: ModuleGraph): string[][] => {
  const seen = new Set<string>();
  return graph.files.flatMap((file) => {
    if (seen.has(file)) return [];
    const cycle = wayBack(graph, file);
    if (cycle === undefined) return [];
    for (const member of cycle) seen.add(member);
    return [cycle];
  });
};

/** Packages whose folders form layers. */
const layered = ['packages/server/src', 'packages/react/src'];

/** The entries of a feature stand above its folders: they gather what these hold, and its other files are below. */
const isEntryOfFeature = (file: string): boolean => /\/features\/[^/]+\/(?:index|feature)\.tsx?$/.test(file);

const folderOf = (file: string): string => (isEntryOfFeature(file) ? file : dirname(file));

/** The same graph with a folder in place of its files. A test may import from anywhere. */
const foldersOf = (graph: ModuleGraph): ModuleGraph => {
  const isLayered = (file: string): boolean => layered.some((folder) => file.startsWith(`${folder}/`));
  const edges = new Map<string, Edge[]>();
  for (const file of graph.files.filter((file) => isLayered(file) && !isTestFile(file))) {
    const from = folderOf(file);
    const outward = (graph.edges.get(file) ?? []).flatMap((edge): Edge[] => {
      const to = edge.to === undefined || !isLayered(edge.to) ? undefined : folderOf(edge.to);
      return to === undefined || to === from ? [] : [{ ...edge, from, to }];
    });
    edges.set(from, [...(edges.get(from) ?? []), ...outward]);
  }
  return { ...graph, files: [...edges.keys()], edges };
};

export const importCycles: Check = {
  name: 'import cycles',
  run: async (root) => {
    const graph = readModuleGraph(root);
    const folders = foldersOf(graph);
    return {
      problems: [...findCycles(graph), ...findCycles(folders)].map((cycle) => cycle.join(' → ')),
      note: `${graph.files.length} files, ${folders.files.length} folders in layers`,
    };
  },
};

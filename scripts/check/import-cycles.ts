import { type ModuleGraph, readModuleGraph } from './module-graph.ts';
import type { Check } from './outcome.ts';

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

export const importCycles: Check = {
  name: 'import cycles',
  run: async (root) => {
    const graph = readModuleGraph(root);
    return {
      problems: findCycles(graph).map((cycle) => cycle.join(' → ')),
      note: `${graph.files.length} files`,
    };
  },
};

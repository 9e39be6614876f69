import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { featureOrderProblems } from './feature-order.ts';
import { type Edge, type ModuleGraph, readModuleGraph, workspaceOf } from './module-graph.ts';
import type { Check } from './outcome.ts';

const everything = ['protocol', 'server', 'client', 'react', 'testkit'];
const mayImport: Record<string, string[]> = {
  'packages/protocol': [],
  'packages/server': ['protocol'],
  'packages/client': ['protocol'],
  'packages/react': ['client'],
  'packages/testkit': ['protocol', 'server', 'client'],
  'apps/web': ['client', 'react'],
  'apps/admin': ['client', 'react'],
  tests: everything,
  scripts: everything,
};
const browserEntry = 'packages/client/src/index.ts';
const valuesFromProtocol = ['errors', 'limits', 'capabilities'].map((entry) => `@parley/protocol/${entry}`);

const homeOf = (graph: ModuleGraph, file: string): string =>
  workspaceOf(graph, file)?.folder ?? file.split('/')[0] ?? '';

const targetName = (graph: ModuleGraph, edge: Edge): string | undefined => {
  const scoped = /^@parley\/([^/]+)/.exec(edge.specifier)?.[1];
  if (scoped !== undefined) return scoped;
  if (edge.to === undefined || homeOf(graph, edge.to) === homeOf(graph, edge.from)) return undefined;
  return workspaceOf(graph, edge.to)?.folder.split('/')[1] ?? edge.to;
};

const directionProblem = (graph: ModuleGraph, edge: Edge): string | undefined => {
  const from = homeOf(graph, edge.from);
  const target = targetName(graph, edge);
  if (target === undefined) return undefined;
  const at = `${edge.from}:${edge.line}`;
  if (!(mayImport[from] ?? []).includes(target)) return `${at} ${from} may not import ${target}`;
  if (edge.specifier.startsWith('.')) return `${at} reaches into ${target} by path: use its exports`;
  if (edge.to === undefined) return `${at} ${edge.specifier} is not among the exports of ${target}`;
  return undefined;
};

const missingFile = (root: string, edge: Edge): string | undefined => {
  if (edge.to === undefined || existsSync(join(root, edge.to))) return undefined;
  return `${edge.from}:${edge.line} ${edge.specifier} leads to no file`;
};

const reachableByValue = (graph: ModuleGraph, entry: string): Edge[] => {
  const seen = new Set([entry]);
  for (const file of seen) {
    for (const edge of graph.edges.get(file) ?? []) {
      if (edge.to !== undefined && !edge.typeOnly) seen.add(edge.to);
    }
  }
  return [...seen].flatMap((file) => graph.edges.get(file) ?? []);
};

const browserProblem = (edge: Edge): string | undefined => {
  const at = `${edge.from}:${edge.line} (reached from ${browserEntry})`;
  if (edge.specifier.startsWith('node:')) return `${at} imports ${edge.specifier}`;
  if (edge.typeOnly) return undefined;
  if (/^typebox(\/|$)/.test(edge.specifier)) return `${at} loads the schema library in the browser`;
  if (!/^@parley\/protocol(\/|$)/.test(edge.specifier)) return undefined;
  return valuesFromProtocol.includes(edge.specifier)
    ? undefined
    : `${at} imports a value of ${edge.specifier}: types only, values from ${valuesFromProtocol.join(', ')}`;
};

export const directionProblems = (root: string, graph: ModuleGraph): string[] => {
  const edges = [...graph.edges.values()].flat();
  const found = [
    ...edges.map((edge) => directionProblem(graph, edge)),
    ...edges.map((edge) => missingFile(root, edge)),
    ...reachableByValue(graph, browserEntry).map(browserProblem),
  ];
  return [...found.filter((problem) => problem !== undefined), ...featureOrderProblems(root, graph)];
};

export const importDirections: Check = {
  name: 'import directions',
  run: async (root) => ({ problems: directionProblems(root, readModuleGraph(root)) }),
};

import { dirname, join } from 'node:path/posix';
import type { ModuleGraph } from './module-graph.ts';
import { type Node, syntaxTree, visit } from './scan.ts';
import { isTestFile, readTextIfAny } from './source-files.ts';

const nounOf = (path: string): string | undefined => /^([^/]+?)(\/|\.tsx?$)/.exec(path)?.[1];

type Specifier = { local: { name: string } };

const nounsByLocal = (program: Node): Map<string, string> => {
  const nouns = new Map<string, string>();
  visit(program, (node) => {
    if (node.type !== 'ImportDeclaration') return node.type === 'Program';
    const source = (node.source as { value: string }).value;
    const noun = source.startsWith('./') ? nounOf(source.slice(2)) : undefined;
    if (noun === undefined || node.importKind === 'type') return false;
    for (const specifier of node.specifiers as Specifier[]) nouns.set(specifier.local.name, noun);
    return false;
  });
  return nouns;
};

const isTypeSyntax = (type: string): boolean => type.startsWith('TS') && !type.endsWith('Expression');

/** The nouns in the order in which `features/all.ts` first uses them; the formatter owns the order of the imports. */
export const featureOrder = (path: string, text: string): string[] => {
  const program = syntaxTree(path, text);
  const nouns = nounsByLocal(program);
  const order = new Set<string>();
  visit(program, (node) => {
    if (node.type === 'ImportDeclaration' || isTypeSyntax(node.type)) return false;
    const noun = node.type === 'Identifier' ? nouns.get(node.name as string) : undefined;
    if (noun !== undefined) order.add(noun);
    return true;
  });
  return [...order, ...[...nouns.values()].filter((noun) => !order.has(noun))];
};

const problemsIn = (graph: ModuleGraph, all: string, order: string[]): string[] => {
  const features = dirname(all);
  const place = (noun: string): number => order.indexOf(noun);
  const ours = graph.files.filter((file) => file.startsWith(`${features}/`) && file !== all);
  const homeOf = (file: string): string | undefined =>
    file.startsWith(`${features}/`) ? nounOf(file.slice(features.length + 1)) : undefined;
  const homes = new Set(ours.filter((file) => !isTestFile(file)).flatMap((file) => homeOf(file) ?? []));
  // A feature with an index of its own is an entry of its own: below all that are listed.
  const isEntry = (noun: string): boolean => graph.files.includes(`${features}/${noun}/index.ts`);
  const unlisted = [...homes].filter((noun) => place(noun) === -1 && !isEntry(noun));
  const upward = ours
    .filter((file) => !isTestFile(file))
    .flatMap((file) => graph.edges.get(file) ?? [])
    .flatMap((edge) => {
      const [from, to] = [homeOf(edge.from), homeOf(edge.to ?? '')];
      if (from === undefined || to === undefined || from === to || to === 'all') return [];
      if (place(to) < place(from) || place(from) === -1) return [];
      return [`${edge.from}:${edge.line} imports ${to}, which is below ${from} in ${all}`];
    });
  return [...unlisted.map((noun) => `${features}/${noun} is not in ${all}`), ...upward];
};

/** A feature imports only the features above it; packages without `features/all.ts` or `all.tsx` have no order to keep. */
export const featureOrderProblems = (root: string, graph: ModuleGraph): string[] =>
  graph.workspaces.flatMap(({ folder }) => {
    return ['all.ts', 'all.tsx'].flatMap((name) => {
      const all = join(folder, 'src/features', name);
      const text = readTextIfAny(root, all);
      return text === undefined ? [] : problemsIn(graph, all, featureOrder(all, text));
    });
  });

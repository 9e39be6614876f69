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

/** The entries of a package that `features/all` does not name, in the order of its `exports`: below all that it names. */
const entryFeatures = (root: string, folder: string, named: string[]): string[] => {
  const { exports = {} }: { exports?: Record<string, string> } = JSON.parse(
    readTextIfAny(root, `${folder}/package.json`) ?? '{}',
  );
  return Object.values(exports)
    .flatMap((target) => /^\.\/src\/features\/([^/]+)\/index\.ts$/.exec(target)?.[1] ?? [])
    .filter((noun) => !named.includes(noun));
};

const problemsIn = (graph: ModuleGraph, all: string, order: string[]): string[] => {
  const features = dirname(all);
  const place = (noun: string): number => order.indexOf(noun);
  const homeOf = (file: string): string | undefined =>
    file.startsWith(`${features}/`) ? nounOf(file.slice(features.length + 1)) : undefined;
  const ours = graph.files.filter(
    (file) => file.startsWith(`${features}/`) && file !== all && !isTestFile(file),
  );
  const unlisted = [...new Set(ours.flatMap((file) => homeOf(file) ?? []))].filter(
    (noun) => place(noun) === -1,
  );
  const upward = ours
    .flatMap((file) => graph.edges.get(file) ?? [])
    .flatMap((edge) => {
      const [from, to] = [homeOf(edge.from), homeOf(edge.to ?? '')];
      if (from === undefined || to === undefined || from === to || to === 'all') return [];
      if (place(from) === -1 || place(to) < place(from)) return [];
      return [`${edge.from}:${edge.line} imports ${to}, which is below ${from} in ${all}`];
    });
  return [
    ...unlisted.map((noun) => `${features}/${noun} is neither in ${all} nor an entry of its own`),
    ...upward,
  ];
};

/** A feature imports only the features above it; packages without `features/all.ts` or `all.tsx` have no order to keep. */
export const featureOrderProblems = (root: string, graph: ModuleGraph): string[] =>
  graph.workspaces.flatMap(({ folder }) => {
    return ['all.ts', 'all.tsx'].flatMap((name) => {
      const all = join(folder, 'src/features', name);
      const text = readTextIfAny(root, all);
      if (text === undefined) return [];
      const named = featureOrder(all, text);
      return problemsIn(graph, all, [...named, ...entryFeatures(root, folder, named)]);
    });
  });

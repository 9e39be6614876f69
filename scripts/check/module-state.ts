import type { Check } from './outcome.ts';
import { type Node, syntaxTree, visit } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const homes = ['packages/client/src/', 'packages/react/src/'];

/** The modules that may hold state for all clients of a page, with the reason: none of it belongs to a user. */
const allowed: Record<string, string> = {
  'packages/client/src/connection/move.ts moving': 'marks connections that are about to move',
  'packages/client/src/load-late.ts made': 'the late part of each client, found by its core',
  'packages/client/src/load-late.ts ready': 'the late part of each client, found by its core',
  'packages/client/src/sync/read-state.ts records': 'a derived record, found by the object it is made of',
  'packages/react/src/features/reactions/load-emojis.ts loaded': 'a module with the names of emojis',
  'packages/react/src/markdown/code-block.tsx loaded': 'modules that highlight code, by language',
  'packages/react/src/ui/keep-trying.ts wanted': 'parts of the program that the page has not loaded yet',
  'packages/react/src/ui/lazy-part.tsx notices': 'mounted notices, of which one is drawn',
};

type Declarator = Node & { id: Node & { name?: string }; init: Node | null };

const changing = new Set('set add delete clear push pop shift unshift splice sort reverse fill'.split(' '));
const collections = new Set(['Map', 'Set', 'WeakMap', 'WeakSet']);

/** The declarations of a module that stand outside of every function. */
const declaredIn = (program: Node): { kind: string; declarator: Declarator }[] =>
  (program.body as Node[]).flatMap((statement) => {
    const declaration = (
      statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    ) as Node | null;
    if (declaration?.type !== 'VariableDeclaration') return [];
    return (declaration.declarations as Declarator[]).map((declarator) => ({
      kind: declaration.kind as string,
      declarator,
    }));
  });

const nameOf = (node: Node | undefined): string | undefined =>
  node?.type === 'Identifier' ? (node.name as string) : undefined;

/** An empty collection is there to be filled; a box is there to be set. */
const isContainer = (init: Node | null): boolean => {
  const callee = nameOf(init?.callee as Node | undefined);
  if (init?.type === 'CallExpression') return callee === 'createBox';
  if (init?.type !== 'NewExpression' || callee === undefined) return false;
  return collections.has(callee) && (init.arguments as Node[]).length === 0;
};

const memberOwner = (node: Node | undefined): string | undefined =>
  node?.type === 'MemberExpression' ? nameOf(node.object as Node) : undefined;

/** A regular expression is given the place at which it begins before each use. */
const isOfPattern = (left: Node): boolean => nameOf(left.property as Node | undefined) === 'lastIndex';

/** The names whose objects a module changes: `name.push(…)`, `name.key = …`, `delete name[key]`. A name that is also declared inside of a function is left out. */
const changedIn = (program: Node): Set<string> => {
  const names = new Set<string | undefined>();
  const declared = new Map<string | undefined, number>();
  visit(program, (node) => {
    if (node.type === 'VariableDeclarator') {
      const name = nameOf(node.id as Node);
      declared.set(name, (declared.get(name) ?? 0) + 1);
    }
    if (node.type === 'CallExpression') {
      const callee = node.callee as Node;
      if (changing.has(nameOf(callee.property as Node | undefined) ?? '')) names.add(memberOwner(callee));
    }
    if (node.type === 'AssignmentExpression' && !isOfPattern(node.left as Node))
      names.add(memberOwner(node.left as Node));
    if (node.type === 'UpdateExpression') names.add(memberOwner(node.argument as Node));
    if (node.type === 'UnaryExpression' && node.operator === 'delete')
      names.add(memberOwner(node.argument as Node));
    return true;
  });
  return new Set([...names].filter((name) => name !== undefined && declared.get(name) === 1)) as Set<string>;
};

export const moduleState = (path: string, text: string): { name: string; line: number }[] => {
  const program = syntaxTree(path, text);
  const changed = changedIn(program);
  return declaredIn(program).flatMap(({ kind, declarator }) => {
    const name = nameOf(declarator.id);
    if (name === undefined) return [];
    if (kind === 'const' && !isContainer(declarator.init) && !changed.has(name)) return [];
    return [{ name, line: text.slice(0, declarator.start).split('\n').length }];
  });
};

export const moduleStateProblems = (files: { path: string; text: string }[]): string[] => {
  const found = files.flatMap(({ path, text }) =>
    moduleState(path, text).map(({ name, line }) => ({
      key: `${path} ${name}`,
      at: `${path}:${line}`,
      name,
    })),
  );
  const keys = new Set(found.map(({ key }) => key));
  return [
    ...found
      .filter(({ key }) => !(key in allowed))
      .map(
        ({ at, name }) =>
          `${at} ${name} outlives the user and is shared by all clients: make it a feature (client.feature)`,
      ),
    ...Object.keys(allowed)
      .filter((key) => files.some(({ path }) => key.startsWith(`${path} `)) && !keys.has(key))
      .map((key) => `${key} is not there any more: take it off the list`),
  ];
};

/** Nothing of a user stands in a module: a sign-out could not empty it, and two clients would share it. */
export const moduleStates: Check = {
  name: 'module state',
  run: async (root) => ({
    problems: moduleStateProblems(
      listFiles(root, ['.ts', '.tsx'])
        .filter(
          (path) =>
            homes.some((home) => path.startsWith(home)) && !isTestFile(path) && !path.includes('/testing/'),
        )
        .map((path) => ({ path, text: readText(root, path) })),
    ),
  }),
};

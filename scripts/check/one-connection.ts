import type {
  CallExpression,
  Expression,
  Identifier,
  Node,
  ObjectBindingPattern,
  ParameterDeclaration,
  SourceFile,
} from 'typescript/unstable/ast';
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isFunctionTypeNode,
  isIdentifier,
  isMethodDeclaration,
  isObjectBindingPattern,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isTaggedTemplateExpression,
  isVariableDeclaration,
  isVoidExpression,
} from 'typescript/unstable/ast/is';
import { API, type Checker } from 'typescript/unstable/async';
import type { Check } from './outcome.ts';
import { isTestFile } from './source-files.ts';

const source = 'packages/server/src/';

/** The files that make connections: the kernel, which runs transactions, and the choice between primary and replicas. */
const exempt = [`${source}kernel/kernel.ts`, `${source}db/replicas.ts`];

/** The types of what sends statements: a function with a parameter of one of them is given its connection. */
const handleTypes = /\b(?:Tx|Db|Kysely|Transaction|PoolClient|pg\.Client)\b|^Kernel\['db'\]$/;
const handleNames = new Set(['tx', 'trx', 'db', 'client']);
/** The types whose `db` is the pool. */
const poolTypes = /\b(?:Kernel|Pools|Deps)\b/;
const poolNames =
  /(?:^|\.)#?(?:pools\.(?:pool|db|background|queries|pages|search|connectPipelined|read|exclusively)|kernel\.(?:db|write|writeFor))$/;
const promises = new Set(['Promise', 'PromiseLike', 'AsyncGenerator', 'AsyncIterable', 'AsyncIterator']);
/** The functions of Kysely that send a statement, of a query that was made with a handle. */
const sending = /^(?:execute(?:TakeFirst(?:OrThrow)?)?|stream)$/;
const following = /^(?:then|catch|finally)$/;
/** The functions that wait for a timer. */
const pausing = new Set(['sleep']);

type Func = Node & { readonly parameters: readonly ParameterDeclaration[]; readonly body?: Node };

const isFunction = (node: Node): node is Func =>
  isArrowFunction(node) ||
  isFunctionExpression(node) ||
  isFunctionDeclaration(node) ||
  isMethodDeclaration(node);

const boundHandles = ({ elements }: ObjectBindingPattern): string[] =>
  elements.flatMap(({ name }) =>
    name && isIdentifier(name) && handleNames.has(name.text) ? [name.text] : [],
  );

/** The names of a function's parameters that are connections. */
const handlesOf = ({ parameters }: Func): string[] =>
  parameters.flatMap(({ name, type }) => {
    const isPool = type !== undefined && poolTypes.test(type.getText()) && !handleTypes.test(type.getText());
    if (isIdentifier(name)) {
      const isHandle = type
        ? !isFunctionTypeNode(type) && handleTypes.test(type.getText())
        : handleNames.has(name.text.replace(/^_/, ''));
      return isHandle ? [name.text] : [];
    }
    if (!isObjectBindingPattern(name) || isPool) return [];
    return boundHandles(name);
  });

/** Whether a function is the body of a transaction, whatever its parameters are called, and also without any. */
const isBody = (node: Node): boolean => {
  const call = node.parent;
  return (
    isCallExpression(call) &&
    call.arguments.some((argument) => argument === node) &&
    isPropertyAccessExpression(call.expression) &&
    /\bkernel\.(?:write|writeFor)$|\btransaction\(\)\.execute$/.test(call.expression.getText())
  );
};

const bodyHandles = ({ parameters: [first] }: Func): string[] => {
  if (!first) return [];
  if (isIdentifier(first.name)) return [first.name.text];
  return isObjectBindingPattern(first.name) ? boundHandles(first.name) : [];
};

/** The names that a function which is given its connection knows: those of the connection, and of functions that are
 * written there, whose bodies are looked at as well. */
type Scope = { handles: Set<string>; functions: Set<string> };

/** Whether an expression passes the connection on, or is built with it. */
const carries = (node: Expression, handles: ReadonlySet<string>): boolean => {
  const inside = (one: Expression): boolean => carries(one, handles);
  if (isIdentifier(node)) return handles.has(node.text);
  if (isPropertyAccessExpression(node) || isSpreadElement(node)) return inside(node.expression);
  if (isCallExpression(node)) return inside(node.expression) || node.arguments.some(inside);
  if (isTaggedTemplateExpression(node)) return inside(node.tag);
  if (!isObjectLiteralExpression(node)) return false;
  return node.properties.some((property) => {
    if (isShorthandPropertyAssignment(property)) return handles.has(property.name.getText());
    if (isPropertyAssignment(property)) return inside(property.initializer);
    return isSpreadAssignment(property) && inside(property.expression);
  });
};

const isCarried = (call: CallExpression, { handles, functions }: Scope): boolean => {
  const { expression } = call;
  if (isIdentifier(expression))
    return functions.has(expression.text) || pausing.has(expression.text) || carries(call, handles);
  if (isPropertyAccessExpression(expression)) {
    const { name, expression: owner } = expression;
    if (sending.test(name.text) && call.arguments.length === 0) return true;
    if (isIdentifier(owner) && owner.text === 'Promise') return true;
    // The call before it is looked at by itself.
    if (isCallExpression(owner) && following.test(name.text)) return true;
  }
  return carries(call, handles);
};

/** `tx.later` runs its function after the commit, with no connection of its own. */
const runsLater = ({ expression }: CallExpression): boolean =>
  isPropertyAccessExpression(expression) && expression.name.text === 'later';

type Found = {
  /** Pools that are named where a connection was given. */
  pools: Node[];
  /** Calls that are not given the connection: they must not be waited for. */
  calls: CallExpression[];
};

const isPoolHandle = (node: Identifier, { handles }: Scope): boolean =>
  handleNames.has(node.text) && node.text !== 'client' && !handles.has(node.text);

const isUsedAsValue = ({ parent }: Node, node: Node): boolean =>
  (isCallExpression(parent) && parent.arguments.includes(node as Expression)) ||
  (isPropertyAccessExpression(parent) && parent.expression === node) ||
  isShorthandPropertyAssignment(parent);

const noteNames = (node: Node, { handles, functions }: Scope): void => {
  if (!isVariableDeclaration(node) || !node.initializer) return;
  const { name, initializer } = node;
  if (isIdentifier(name) && isFunction(initializer)) functions.add(name.text);
  if (!carries(initializer, handles)) return;
  if (isIdentifier(name) && handleNames.has(name.text)) handles.add(name.text);
  if (isObjectBindingPattern(name)) for (const handle of boundHandles(name)) handles.add(handle);
};

const lookAt = (node: Node, scope: Scope, found: Found): void => {
  noteNames(node, scope);
  if (isPropertyAccessExpression(node) && poolNames.test(node.getText())) found.pools.push(node);
  if (isIdentifier(node) && isUsedAsValue(node, node) && isPoolHandle(node, scope)) found.pools.push(node);
  if (isCallExpression(node) && !isCarried(node, scope)) found.calls.push(node);
};

const search = (file: SourceFile): Found => {
  const found: Found = { pools: [], calls: [] };
  const walk = (node: Node, outer: Scope | undefined): void => {
    let scope = outer;
    let inner: Node | undefined = node;
    if (isFunction(node)) {
      const own = isBody(node) ? bodyHandles(node) : handlesOf(node);
      if (own.length > 0 || isBody(node))
        scope = { handles: new Set(own), functions: new Set(outer?.functions) };
      // The defaults of parameters are left out: a call that relies on one passes no handle, which shows where it is.
      inner = node.body;
    } else if (scope) lookAt(node, scope, found);
    if (!inner || (scope && isCallExpression(inner) && runsLater(inner)) || isVoidExpression(inner)) return;
    if (inner !== node) walk(inner, scope);
    else
      inner.forEachChild((child) => {
        walk(child, scope);
      });
  };
  walk(file, undefined);
  return found;
};

const areWaited = async (checker: Checker, calls: readonly CallExpression[]): Promise<boolean[]> => {
  if (calls.length === 0) return [];
  const types = await checker.getTypeAtLocation(calls);
  const symbols = await Promise.all(types.map((type) => type?.getSymbol()));
  return symbols.map((symbol) => promises.has(symbol?.name ?? ''));
};

const shown = (node: Node): string => {
  const text = node.getText().replace(/\s+/g, ' ');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

const fileProblems = async (path: string, file: SourceFile, checker: Checker): Promise<string[]> => {
  const { pools, calls } = search(file);
  const at = (node: Node): string => `${path}:${file.text.slice(0, node.getStart()).split('\n').length}`;
  const isWaited = await areWaited(checker, calls);
  return [
    ...pools.map(
      (node) => `${at(node)} uses ${shown(node)} where a connection is given: use that one, tx.db in a write`,
    ),
    ...calls
      .filter((_, index) => isWaited[index])
      .map(
        (node) =>
          `${at(node)} waits for ${shown(node)} without passing its connection: resolve it before the write, or pass tx.db`,
      ),
  ];
};

/** A transaction that waits for a second connection deadlocks with as many others as the pool has connections. So a function that is
 * given a connection names no pool, and everything that it waits for gets that connection. The callback of `kernel.write` is such a
 * function, and so is everything that gets its `tx` or `tx.db`: with that, no query through the pool can be reached inside it. */
export const oneConnection: Check = {
  name: 'one connection',
  run: async (root) => {
    const api = new API({ cwd: root });
    try {
      const snapshot = await api.updateSnapshot({ openProjects: [`${root}/packages/server/tsconfig.json`] });
      const [project] = snapshot.getProjects();
      if (!project) return { problems: ['the project of the server cannot be opened'] };
      const problems: string[] = [];
      for (const name of await project.program.getSourceFileNames()) {
        const path = name.slice(root.length + 1);
        if (!path.startsWith(source) || isTestFile(path) || exempt.includes(path)) continue;
        const file = await project.program.getSourceFile(name);
        if (file) problems.push(...(await fileProblems(path, file, project.checker)));
      }
      return { problems };
    } finally {
      await api.close();
    }
  },
};

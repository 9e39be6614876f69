import { parseSync } from 'rolldown/utils';

export type ImportRef = { specifier: string; typeOnly: boolean; line: number };
export type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
};

/** Written for speed: the checks visit each node of the repository several times. */
const childrenOf = (node: Node): Node[] => {
  const children: Node[] = [];
  for (const key in node) {
    const value = node[key];
    if (typeof value === 'object' && value !== null) children.push(...nodesIn(value));
  }
  const isOrdered = children.every(
    (child, at) => at === 0 || (children[at - 1] as Node).start <= child.start,
  );
  return isOrdered ? children : children.sort((a, b) => a.start - b.start);
};

/** Visits depth first, in the order of the text; `enter` returns false to stay out of a node. */
export const visit = (node: Node, enter: (node: Node) => boolean): void => {
  if (!enter(node)) return;
  for (const child of childrenOf(node)) visit(child, enter);
};

const parse = (path: string, text: string) => {
  const result = parseSync(path, text);
  const error = result.errors[0];
  if (error) throw new Error(`${path} does not parse: ${error.message}`);
  return result;
};

export const syntaxTree = (path: string, text: string): Node => parse(path, text).program as unknown as Node;

type Span = { start: number; end: number };
type Known = { text: string; comments: Span[]; imports: ImportRef[] };
/** A dozen checks ask the same of the same files: parsing them each time took most of the checks' processor time. Trees are too large to keep. */
const known = new Map<string, Known>();

const know = (path: string, text: string): Known => {
  const before = known.get(path);
  if (before?.text === text) return before;
  const parsed = parse(path, text);
  const comments = parsed.comments.map(({ start, end }) => ({ start, end }));
  const found = { text, comments, imports: importsIn(path, parsed, text) };
  known.set(path, found);
  return found;
};

const commentSpans = (path: string, text: string): Span[] =>
  path.endsWith('.css')
    ? [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: all, index }) => ({
        start: index,
        end: index + all.length,
      }))
    : know(path, text).comments;

/** The text with every comment turned to spaces: offsets and lines stay where they are. */
export const withoutComments = (path: string, text: string): string => {
  const pieces: string[] = [];
  let from = 0;
  for (const comment of commentSpans(path, text)) {
    pieces.push(text.slice(from, comment.start), blank(text.slice(comment.start, comment.end)));
    from = comment.end;
  }
  return pieces.join('') + text.slice(from);
};

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

const literal = (value: unknown): string | undefined =>
  isNode(value) && typeof value.value === 'string' ? value.value : undefined;

const onlyTypes = (node: Node, kind: 'importKind' | 'exportKind'): boolean => {
  if (node[kind] === 'type') return true;
  const specifiers = nodesIn(node.specifiers);
  return specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === 'type');
};

const referenceOf = (node: Node): { specifier: string | undefined; typeOnly: boolean } | undefined => {
  switch (node.type) {
    case 'ImportDeclaration':
      return { specifier: literal(node.source), typeOnly: onlyTypes(node, 'importKind') };
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return { specifier: literal(node.source), typeOnly: onlyTypes(node, 'exportKind') };
    case 'ImportExpression':
      return { specifier: literal(node.source), typeOnly: false };
    case 'TSImportType':
      return { specifier: literal(node.source), typeOnly: true };
    default:
      return undefined;
  }
};

export type Comment = { text: string; line: number; isLine: boolean };

/** Every comment, with its text as it is read: without its signs, and on one line. */
export const commentsOf = (path: string, text: string): Comment[] => {
  return commentSpans(path, text).map(({ start, end }) => {
    const raw = text.slice(start, end);
    const isLine = raw.startsWith('//');
    const words = isLine ? raw.slice(2) : raw.replace(/^\/\*+|\*\/$/g, '').replace(/\n\s*\*/g, ' ');
    return { text: words.replace(/\s+/g, ' ').trim(), line: text.slice(0, start).split('\n').length, isLine };
  });
};

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** From the whole tree: types that are imported where they are used stand anywhere. */
const importsInTree = (program: Node, text: string): ImportRef[] => {
  const found: ImportRef[] = [];
  visit(program, (node) => {
    const reference = referenceOf(node);
    if (reference?.specifier !== undefined) {
      const { specifier, typeOnly } = reference;
      found.push({ specifier, typeOnly, line: lineAt(text, node.start) });
    }
    return true;
  });
  return found;
};

type Parsed = ReturnType<typeof parse>;

/** From the list of the parser, which needs no tree. */
const importsInList = ({ staticImports, staticExports }: Parsed['module'], text: string): ImportRef[] => {
  const isOfTypes = (entries: { isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType);
  const imports = staticImports.map(({ moduleRequest, entries, start }) => ({
    specifier: moduleRequest.value,
    typeOnly: isOfTypes(entries),
    start,
  }));
  const exports = staticExports.flatMap(({ entries, start }) => {
    const request = entries[0]?.moduleRequest;
    // The parser lists names that one statement imports and another exports at the import.
    if (!request || staticImports.some(({ moduleRequest }) => moduleRequest.start === request.start))
      return [];
    return [{ specifier: request.value, typeOnly: isOfTypes(entries), start }];
  });
  return [...imports, ...exports]
    .sort((a, b) => a.start - b.start)
    .map(({ specifier, typeOnly, start }) => ({ specifier, typeOnly, line: lineAt(text, start) }));
};

const importsIn = (path: string, parsed: Parsed, text: string): ImportRef[] =>
  /\bimport\s*\(/.test(text) || path.endsWith('.d.ts')
    ? importsInTree(parsed.program as unknown as Node, text)
    : importsInList(parsed.module, text);

/** Every module the text names: import, export from, `import()` and `import('…').Type`. */
export const importsOf = (path: string, text: string): ImportRef[] => know(path, text).imports;

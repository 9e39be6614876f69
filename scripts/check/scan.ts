import { parseSync } from 'rolldown/utils';

export type ImportRef = { specifier: string; typeOnly: boolean; line: number };
export type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const nodesIn = (value: unknown): Node[] => {
  if (Array.isArray(value)) return value.filter(isNode);
  return isNode(value) ? [value] : [];
};

/** Visits depth first, in the order of the text; `enter` returns false to stay out of a node. */
export const visit = (node: Node, enter: (node: Node) => boolean): void => {
  if (!enter(node)) return;
  const children = Object.values(node).flatMap(nodesIn);
  for (const child of children.sort((a, b) => a.start - b.start)) visit(child, enter);
};

const parse = (path: string, text: string) => {
  const result = parseSync(path, text);
  const error = result.errors[0];
  if (error) throw new Error(`${path} does not parse: ${error.message}`);
  return result;
};

export const syntaxTree = (path: string, text: string): Node => parse(path, text).program as unknown as Node;

/** The text with every comment turned to spaces: offsets and lines stay where they are. */
export const withoutComments = (path: string, text: string): string => {
  if (path.endsWith('.css')) return text.replace(/\/\*[\s\S]*?\*\//g, blank);
  const pieces: string[] = [];
  let from = 0;
  for (const comment of parse(path, text).comments) {
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
  const found = path.endsWith('.css')
    ? [...text.matchAll(/\/\*[\s\S]*?\*\//g)].map(({ 0: all, index }) => ({
        start: index,
        end: index + all.length,
      }))
    : parse(path, text).comments;
  return found.map(({ start, end }) => {
    const raw = text.slice(start, end);
    const isLine = raw.startsWith('//');
    const words = isLine ? raw.slice(2) : raw.replace(/^\/\*+|\*\/$/g, '').replace(/\n\s*\*/g, ' ');
    return { text: words.replace(/\s+/g, ' ').trim(), line: text.slice(0, start).split('\n').length, isLine };
  });
};

/** Every module the text names: import, export from, `import()` and `import('…').Type`. */
export const importsOf = (path: string, text: string): ImportRef[] => {
  const found: ImportRef[] = [];
  visit(syntaxTree(path, text), (node) => {
    const reference = referenceOf(node);
    if (reference?.specifier !== undefined) {
      const line = text.slice(0, node.start).split('\n').length;
      found.push({ specifier: reference.specifier, typeOnly: reference.typeOnly, line });
    }
    return true;
  });
  return found;
};

import type { Check } from './outcome.ts';
import { type Node, syntaxTree, visit } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const homes = ['packages/react/src/', 'apps/web/src/'];
const attributes = new Set([
  ...['title', 'placeholder', 'alt', 'label', 'hint', 'description', 'summary', 'heading'],
  ...['aria-label', 'aria-description', 'aria-roledescription', 'aria-valuetext', 'aria-placeholder'],
]);
const properties = new Set([...attributes, 'detail']);
/** The properties of an element whose values a person reads. */
const assigned = new Set(['title', 'textContent', 'innerText', 'placeholder', 'alt', 'ariaLabel']);

/** Texts that are no words of a language, each with its reason. */
const exceptions: Record<string, string> = {
  Parley: 'the name of the product',
  ALT: 'the sign for a description of a picture, as on other sites',
};

const isCatalogue = (path: string): boolean => /(^|[/-])texts\.ts$/.test(path);

const hasWord = (text: string): boolean => /\p{L}{2}/u.test(text) && exceptions[text.trim()] === undefined;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value;

const nodes = (...values: unknown[]): Node[] => values.filter(isNode);

/** The pieces of text that an expression may come to: of both ends of a choice, and of a template what stands between its values. */
const textsOf = (node: Node): string[] => {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : [];
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked);
    case 'ConditionalExpression':
      return nodes(node.consequent, node.alternate).flatMap(textsOf);
    case 'LogicalExpression':
      return nodes(node.left, node.right).flatMap(textsOf);
    case 'JSXExpressionContainer':
      return nodes(node.expression).flatMap(textsOf);
    default:
      return [];
  }
};

const nameOf = (named: unknown): string => {
  const { name, value: quoted }: { name?: unknown; value?: unknown } = named ?? {};
  return typeof name === 'string' ? name : typeof quoted === 'string' ? quoted : '';
};

/** A sentence, or several words of which the first has a capital, are meant for a person wherever they stand. */
const isProse = (text: string): boolean => /^\p{Lu}[\p{L}'’]*[ ,]+\p{L}/u.test(text.trim());

const proseOf = (node: Node): string[] =>
  node.type === 'Literal' || node.type === 'TemplateLiteral' ? textsOf(node).filter(isProse) : [];

/** Errors are read by developers. */
const isForDevelopers = (node: Node): boolean =>
  /Error$/.test(nameOf(node.callee)) || node.type === 'ImportDeclaration' || node.type === 'TSLiteralType';

/** The texts that a node shows to a person by itself. */
const shownBy = (node: Node): string[] => {
  if (node.type === 'JSXText') return [String(node.value)];
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as Node[]).filter(({ type }) => type === 'JSXExpressionContainer').flatMap(textsOf);
  if (node.type === 'JSXAttribute' && attributes.has(nameOf(node.name)))
    return nodes(node.value).flatMap(textsOf);
  if (node.type === 'Property' && properties.has(nameOf(node.key))) return nodes(node.value).flatMap(textsOf);
  if (node.type === 'AssignmentExpression' && assigned.has(nameOf((node.left as Node).property)))
    return nodes(node.right).flatMap(textsOf);
  return [];
};

/** The line and the words of each text that is written where it is shown. */
export const literalsIn = (path: string, text: string): { line: number; words: string }[] => {
  const found: { line: number; words: string }[] = [];
  visit(syntaxTree(path, text), (node) => {
    if (isForDevelopers(node)) return false;
    const line = text.slice(0, node.start).split('\n').length;
    const add = (shown: string[]) =>
      shown.filter(hasWord).forEach((words) => {
        found.push({ line, words: words.trim() });
      });
    const isFound = (prose: string) => found.some(({ words }) => words === prose.trim());
    add(shownBy(node));
    add(proseOf(node).filter((prose) => !isFound(prose)));
    return true;
  });
  return found;
};

type File = { path: string; text: string };

/** The keys of the catalogues of a file, as `polls.votes`, and their English as it is written. */
const keysIn = ({ path, text }: File): { key: string; path: string; english: string }[] => {
  const keys: ReturnType<typeof keysIn> = [];
  visit(syntaxTree(path, text), (node) => {
    if (node.type !== 'CallExpression' || nameOf(node.callee) !== 'defineTexts') return true;
    const [feature, english] = nodes(...(node.arguments as unknown[]));
    for (const one of nodes(...((english?.properties ?? []) as unknown[])))
      keys.push({
        key: `${nameOf(feature)}.${nameOf(one.key)}`,
        path,
        english: text.slice(one.start, one.end),
      });
    return false;
  });
  return keys;
};

const kit = 'packages/react/src/';
const registry = `${kit}texts.ts`;

/** Catalogues of the kit whose translations have no types, and keys that two catalogues use for different texts: they have one translation. */
export const catalogueProblems = (files: readonly File[]): string[] => {
  const registered = files.find(({ path }) => path === registry)?.text ?? '';
  const byKey = Map.groupBy(files.flatMap(keysIn), ({ key }) => key);
  return [
    ...files
      .filter((file) => file.path.startsWith(kit) && keysIn(file).length > 0)
      .filter(({ path }) => !registered.includes(`'./${path.slice(kit.length)}'`))
      .map(({ path }) => `${path} is not in ${registry}: its translations would have no types`),
    ...[...byKey].flatMap(([key, found]) =>
      new Set(found.map(({ english }) => english)).size > 1
        ? [`${found.map(({ path }) => path).join(' and ')} have different texts for ${key}`]
        : [],
    ),
  ];
};

/** A text outside a catalogue could not be translated by a product. */
export const literals: Check = {
  name: 'texts in catalogues',
  run: async (root) => {
    const files = listFiles(root, ['.ts', '.tsx'])
      .filter((path) => homes.some((home) => path.startsWith(home)) && !isTestFile(path))
      .map((path) => ({ path, text: readText(root, path) }));
    const shown = files
      .filter(({ path }) => !isCatalogue(path))
      .flatMap(({ path, text }) =>
        literalsIn(path, text).map(
          ({ line, words }) => `${path}:${line} shows "${words}", which is in no catalogue`,
        ),
      );
    return { problems: [...shown, ...catalogueProblems(files.filter(({ path }) => isCatalogue(path)))] };
  },
};

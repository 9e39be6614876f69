import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Described = { description?: unknown };
type Exports = Record<string, unknown>;

const describedIn = (value: unknown): string | undefined => {
  const { description }: Described = Object(value);
  return typeof description === 'string' ? description : undefined;
};
const comment = (text: string): string => `/** ${text.replaceAll('*/', '* /')} */`;

/** `name: doc('…', schema)` and `name: optional('…', schema)`, also where the text stands on the next line. */
const described = /^(\s*)(?:'[^']+'|\w+): (?:doc|optional)\(\s*(['"])((?:(?!\2)[^\\]|\\.)*)\2/gm;
const shared = /^(\s*)\w+: ([A-Z]\w*),$/gm;
const spread = /^(\s*)\.\.\.(\w+),$/gm;

/** Properties that share a line get lines of their own, each with a comma after it where that is needed below. */
const onePerLine = (source: string): string =>
  source
    .replace(/([{,]) (?=(?:'[^']+'|\w+): (?:doc|optional)\()/g, '$1\n')
    .replace(/([{,]) (?=(?:[a-z]\w*: [A-Z]\w*|\.\.\.\w+)(?:,| \}))/g, '$1\n')
    .replace(/^((?:[a-z]\w*: [A-Z]\w*|\.\.\.\w+)) \}(?=\))/gm, '$1,\n}');

/** The same source with the description of each property as the comment above it, which is what an editor shows.
 * A comment does not follow a property into the declarations of another file, so properties that come from a shared
 * schema or a shared set of properties get theirs where they are used. */
export const withComments = (source: string, exported: Exports): string =>
  onePerLine(source)
    .replace(
      described,
      (all, indent: string, _quote, text: string) =>
        `${indent}${comment(text.replaceAll("\\'", "'"))}\n${all}`,
    )
    .replace(shared, (all, indent: string, schema: string) => {
      const text = describedIn(exported[schema]);
      return text === undefined ? all : `${indent}${comment(text)}\n${all}`;
    })
    .replace(spread, (all, indent: string, name: string) => {
      const properties = Object.entries(Object(exported[name]));
      if (properties.length === 0 || !properties.every(([, schema]) => describedIn(schema))) return all;
      return properties
        .map(
          ([key, schema]) =>
            `${indent}${comment(describedIn(schema) ?? '')}\n${indent}${key}: ${name}.${key},`,
        )
        .join('\n');
    });

/** Copies the sources of the protocol with their descriptions as comments. */
export const copyDocumented = async (from: string, to: string): Promise<void> => {
  const paths = readdirSync(from, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
  );
  const modules = await Promise.all(
    paths.map((path): Promise<Exports> => import(pathToFileURL(join(from, path)).href)),
  );
  const exported: Exports = Object.assign({}, ...modules);
  for (const path of paths) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), withComments(readFileSync(join(from, path), 'utf8'), exported));
  }
};

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type OutputChunk, type Plugin, rolldown } from 'rolldown';
import type { Check } from './outcome.ts';

export type Bundle = {
  entry: string;
  external: RegExp[];
  /** Further entries of the same build. */
  others?: string[];
  /** The exports that a product imports; all where it is left out. */
  names?: string[];
};

export const clientBundle: Bundle = { entry: 'packages/client/src/index.ts', external: [] };
export const kitBundle: Bundle = {
  entry: 'packages/react/src/index.ts',
  external: [/^react(\/|$)/, /^react-dom(\/|$)/, /^@parley\/client(\/|$)/],
};

/** The least that a product with its own interface imports. */
export const ownInterfaceBundle: Bundle = {
  ...kitBundle,
  names: [
    'ClientProvider',
    'useClient',
    'useMe',
    'useConnection',
    'useOpenChannel',
    'useChannel',
    'useMessages',
  ],
};

const chosen = '\0chosen-exports';

const chosenExports = (source: string, names: string[]): Plugin => ({
  name: 'chosen-exports',
  resolveId: (id) => (id === chosen ? id : null),
  load: (id) => (id === chosen ? `export { ${names.join(', ')} } from ${JSON.stringify(source)};` : null),
});

const styleSheets: Plugin = {
  name: 'style-sheets-as-empty-modules',
  load: (id) => (/\.css(\?|$)/.test(id) ? { code: 'export default {};', moduleType: 'js' } : null),
};

/** Bundles in memory, as a production build would; style sheets count for nothing. */
export const bundle = async (
  root: string,
  { entry, external, names, others = [] }: Bundle,
  platform: 'browser' | 'node' = 'browser',
): Promise<OutputChunk[]> => {
  const build = await rolldown({
    input: names ? chosen : [entry, ...others].map((path) => join(root, path)),
    cwd: root,
    external,
    platform,
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    plugins: [styleSheets, ...(names ? [chosenExports(join(root, entry), names)] : [])],
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true, comments: false });
    return output.filter((part) => part.type === 'chunk');
  } finally {
    await build.close();
  }
};

const loadedAtOnce = (chunks: OutputChunk[]): OutputChunk[] => {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const atOnce = new Set(chunks.filter((chunk) => chunk.isEntry));
  for (const chunk of atOnce) {
    for (const name of chunk.imports) {
      const imported = byName.get(name);
      if (imported !== undefined) atOnce.add(imported);
    }
  }
  return [...atOnce];
};

const kilobytes = (chunks: OutputChunk[]): number =>
  chunks.reduce((sum, chunk) => sum + gzipSync(chunk.code, { level: 9 }).length, 0) / 1000;

/** Code that loads at once must stay within the budget; the size of lazy chunks is only shown. */
export const bundleBudget = (name: string, made: Bundle, budget: number): Check => ({
  name,
  run: async (root) => {
    if (!existsSync(join(root, made.entry))) return { problems: [`${made.entry} is missing`] };
    const chunks = await bundle(root, made);
    const first = loadedAtOnce(chunks);
    const size = kilobytes(first);
    const lazy = kilobytes(chunks.filter((chunk) => !first.includes(chunk)));
    const note = `${size.toFixed(1)} of ${budget} kB gzip${lazy > 0 ? `, ${lazy.toFixed(1)} kB lazily` : ''}`;
    return { problems: size > budget ? [`${name}, ${made.entry}: ${note}`] : [], note };
  },
});

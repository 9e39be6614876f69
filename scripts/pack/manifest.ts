export type Manifest = {
  name: string;
  version: string;
  exports: Record<string, string>;
  scripts?: Record<string, string>;
  devDependencies?: Record<string, string>;
};
type Entry = { types: string; default: string };

/** Where a source file stands in the tarball, by the ending that the compiler gives it. */
const built = (source: string, ending: string): string =>
  source.replace('./src/', './dist/').replace(/\.tsx?$/, ending);

const entryOf = (source: string): Entry =>
  source.endsWith('.css')
    ? // A strict compiler wants to know that the style sheet is there, also where it is imported for its effect alone.
      { types: `${built(source, '')}.d.ts`, default: built(source, '') }
    : { types: built(source, '.d.ts'), default: built(source, '.js') };

/** The manifest of the tarball. The workspace's own names the TypeScript sources, which neither Node nor the compiler of
 * a product takes from `node_modules`. */
export const publishedManifest = ({
  scripts: _scripts,
  devDependencies: _development,
  ...manifest
}: Manifest): Record<string, unknown> => ({
  ...manifest,
  exports: {
    ...Object.fromEntries(Object.entries(manifest.exports).map(([name, source]) => [name, entryOf(source)])),
    './package.json': './package.json',
  },
});

import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { binary, runTool, type ToolResult } from '../check/run-tool.ts';
import { copyDocumented } from './documented-sources.ts';
import { type Manifest, publishedManifest } from './manifest.ts';

const packedPackages = ['protocol', 'client', 'react'];

/** One program for all packages: each takes the types of the one below from its sources. */
const compilerConfig = (root: string, rootDir: string, include: string[]) => ({
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    noEmit: false,
    // `npm run check` has looked at the types; here that would take most of the time.
    noCheck: true,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir,
    outDir: 'out',
    lib: ['es2024', 'dom', 'dom.iterable'],
    jsx: 'react-jsx',
  },
  include,
  exclude: ['*.test.ts', '*.test.tsx', 'testing'].map((name) => join(root, 'packages/*/src/**', name)),
});

const need = ({ code, output }: ToolResult, what: string): string => {
  if (code !== 0) throw new Error(`${what} failed:\n${output}`);
  return output;
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The compiler rewrites the endings of imports in programs and leaves those of declarations; style sheets have no types. */
const nameBuiltFiles = (declarations: string): string =>
  declarations
    .replace(/^import '[^']+\.css';\n/gm, '')
    .replace(/((?:from |import |import\()['"]\.{1,2}\/[^'"]+)\.tsx?(['"])/g, '$1.js$2');

/** Each sheet begins with the order of the layers: which one a product's bundler puts first is not ours to say, and the
 * first that names a layer places it. */
const copyStyles = (from: string, to: string): void => {
  const sheets = filesIn(from).filter((path) => path.endsWith('.css'));
  const order = sheets.find((path) => path.endsWith('theme/layers.css'));
  const first = order === undefined ? '' : readFileSync(order, 'utf8');
  for (const sheet of sheets) {
    const text = readFileSync(sheet, 'utf8');
    const target = sheet.replace(from, to);
    mkdirSync(dirname(target), { recursive: true });
    // Imports come before everything else in a style sheet, and theme.css gives their order.
    const bare = text.startsWith('@import') || sheet === order;
    writeFileSync(target, bare ? text : first + text);
  }
};

/** Makes the folder that is packed; returns the name of its tarball. */
const layOut = (root: string, out: string, folder: string): string => {
  const source = join(root, 'packages', basename(folder));
  const dist = join(folder, 'dist');
  cpSync(join(out, basename(folder), 'src'), dist, { recursive: true });
  for (const file of filesIn(dist).filter((path) => path.endsWith('.d.ts')))
    writeFileSync(file, nameBuiltFiles(readFileSync(file, 'utf8')));
  copyStyles(join(source, 'src'), dist);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as Manifest;
  for (const sheet of Object.values(manifest.exports).filter((path) => path.endsWith('.css')))
    writeFileSync(`${join(folder, sheet.replace('./src/', './dist/'))}.d.ts`, 'export {};\n');
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`);
  cpSync(join(source, 'README.md'), join(folder, 'README.md'));
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file));
  return `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
};

const npm = (root: string, args: string[]): Promise<ToolResult> => {
  const cli = process.env.npm_execpath ?? '';
  return basename(cli) === 'npm-cli.js'
    ? runTool(root, process.execPath, [cli, ...args])
    : runTool(root, 'npm', args);
};

const build = async (root: string, stage: string, config: object): Promise<void> => {
  writeFileSync(join(stage, 'tsconfig.json'), JSON.stringify(config));
  need(await runTool(root, binary(root, 'tsc'), ['-p', stage, '--pretty', 'false']), 'The build');
};

/** Builds the packages and packs them; returns the tarballs, the packages without dependencies on others first. */
export const packPackages = async (root: string, destination: string): Promise<string[]> => {
  mkdirSync(join(root, '.cache'), { recursive: true });
  mkdirSync(destination, { recursive: true });
  // The stage is inside the repository: the compiler looks for installed types from here upwards.
  const stage = mkdtempSync(join(root, '.cache', 'pack-'));
  try {
    const packages = join(root, 'packages');
    await build(
      root,
      stage,
      compilerConfig(
        root,
        packages,
        packedPackages.map((name) => join(packages, name, 'src')),
      ),
    );
    // The declarations of the protocol again, from sources in which each property has its description as a comment.
    const documented = join(stage, 'documented');
    await copyDocumented(join(packages, 'protocol/src'), join(documented, 'protocol/src'));
    const config = compilerConfig(root, documented, [documented]);
    const compilerOptions = { ...config.compilerOptions, emitDeclarationOnly: true };
    await build(root, stage, { ...config, compilerOptions });
    const folders = packedPackages.map((name) => join(stage, name));
    const tarballs = folders.map((folder) => layOut(root, join(stage, 'out'), folder));
    const args = ['pack', ...folders, '--pack-destination', destination, '--ignore-scripts'];
    need(await npm(root, args), 'npm pack');
    return tarballs.map((name) => join(destination, name));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
};

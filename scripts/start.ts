import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readEnvironment } from './start/environment.ts';
import { explain, welcome } from './start/messages.ts';
import { buildServer } from './start/server-build.ts';
import { BuildFailed, buildWeb } from './start/web-build.ts';

const root = join(import.meta.dirname, '..');
const env = readEnvironment(root, process.env);
/** `npm run dev` serves the app itself and only needs the server. */
const withoutApp = process.argv.includes('--without-app');

const start = async (): Promise<void> => {
  if (!withoutApp) await buildWeb(root, console.log);
  // A developer wants the stack of an error to name the sources.
  const { run }: typeof import('@parley/server') = withoutApp
    ? await import('@parley/server')
    : await import(pathToFileURL(await buildServer(root)).href);
  const { url } = await run(env);
  if (!withoutApp) console.log(welcome(url, env));
};

try {
  await start();
} catch (error) {
  console.error(explain(error, env) ?? (error instanceof BuildFailed ? error.message : error));
  process.exit(1);
}

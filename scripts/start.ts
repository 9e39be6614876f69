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
/** One of the servers of `npm run start:cluster`, which has built the app and prints the addresses. */
const isOfCluster = process.argv.includes('--of-cluster');

// The process that started this one is gone, whichever way it ended.
if (isOfCluster) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

const start = async (): Promise<void> => {
  if (!withoutApp && !isOfCluster) await buildWeb(root, console.log);
  // A developer wants the stack of an error to name the sources.
  const { run }: typeof import('@parley/server') = withoutApp
    ? await import('@parley/server')
    : await import(pathToFileURL(await buildServer(root)).href);
  const { url } = await run(env);
  if (!withoutApp && !isOfCluster) console.log(welcome(url, env));
};

try {
  await start();
} catch (error) {
  console.error(explain(error, env) ?? (error instanceof BuildFailed ? error.message : error));
  process.exit(1);
}

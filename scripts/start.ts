import { join } from 'node:path';
import { readEnvironment } from './start/environment.ts';
import { explain, welcome } from './start/messages.ts';
import { BuildFailed, buildWeb } from './start/web-build.ts';

const root = join(import.meta.dirname, '..');
const env = readEnvironment(root, process.env);
/** `npm run dev` serves the app itself and only needs the server. */
const withoutApp = process.argv.includes('--without-app');

const start = async (): Promise<void> => {
  if (!withoutApp) await buildWeb(root, console.log);
  const { run } = await import('@parley/server');
  const { url } = await run(env);
  if (!withoutApp) console.log(welcome(url, env));
};

try {
  await start();
} catch (error) {
  console.error(explain(error, env) ?? (error instanceof BuildFailed ? error.message : error));
  process.exit(1);
}

import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRestarter } from './dev/restarter.ts';
import { watchFolders } from './dev/watch-folders.ts';
import { type Environment, readEnvironment } from './start/environment.ts';

const root = join(import.meta.dirname, '..');
const web = join(root, 'apps/web');
const env = readEnvironment(root, process.env);
const appPort = 5173;

type ViteServer = { listen(): Promise<unknown>; close(): Promise<void> };
type Vite = { createServer(config: object): Promise<ViteServer> };

/** The address at which this machine reaches the server, which may listen on all of its addresses. */
const serverUrl = ({ HOST, PORT }: Environment): string => {
  const host = HOST === undefined || ['', '0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT || 8800}`;
};

const spawnServer = (): ChildProcess => {
  const args = [join(root, 'scripts/start.ts'), '--without-app'];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) console.log('The server ended. It starts again with the next change.');
  });
  return child;
};

const startApp = async (target: string): Promise<ViteServer> => {
  const vite = createRequire(join(web, 'package.json')).resolve('vite');
  const { createServer } = (await import(pathToFileURL(vite).href)) as Vite;
  const server = await createServer({
    root: web,
    server: {
      host: '127.0.0.1',
      port: appPort,
      strictPort: true,
      proxy: { '/api': { target, ws: true }, '/files': { target } },
    },
  });
  await server.listen();
  // Vite ends the process at once on this signal; the server behind it needs time to stop.
  process.removeAllListeners('SIGTERM');
  return server;
};

const readyWithinMs = 60_000;

/** The app asks the server as soon as it is opened, and the first start makes the demo data. */
const waitForServer = async (target: string): Promise<void> => {
  const end = Date.now() + readyWithinMs;
  while (Date.now() < end) {
    const isReady = await fetch(`${target}/readyz`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
};

const run = async (): Promise<void> => {
  const target = serverUrl(env);
  const server = createRestarter(spawnServer);
  await waitForServer(target);
  const app = existsSync(join(web, 'index.html')) ? await startApp(target) : undefined;
  const watched = ['server', 'protocol'].map((name) => join(root, 'packages', name, 'src'));
  const unwatch = watchFolders(watched, () => {
    console.log('The server starts again …');
    void server.restart();
  });
  let isStopping = false;
  const stop = async (): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    unwatch();
    await Promise.all([server.stop(), app?.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop());
  console.log(`
  Parley for developers: what you save is reloaded.

    App    ${app ? `http://127.0.0.1:${appPort}` : 'apps/web is not there'}
    Server ${target}
    Stop   Ctrl-C
`);
};

try {
  await run();
} catch (error) {
  const taken = error instanceof Error && error.message.includes(`Port ${appPort} is already in use`);
  console.error(taken ? `Port ${appPort} is taken, perhaps by another npm run dev. Stop that one.` : error);
  process.exit(1);
}

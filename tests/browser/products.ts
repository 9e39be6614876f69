/** Starts a product for each worker of the journeys, all at once, and answers at its own port when the last is ready. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Place } from './playwright.config.ts';

const root = join(import.meta.dirname, '..', '..');
const { PARLEY_BROWSER_PLACES = '[]', PARLEY_BROWSER_READY = '' } = process.env;
const places = JSON.parse(PARLEY_BROWSER_PLACES) as Place[];

const start = ({ port, site, data }: Place): ChildProcess =>
  spawn(process.execPath, [join(root, 'scripts/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      PARLEY_DATA: data,
      PARLEY_DEMO: 'on',
      LOG_LEVEL: 'warn',
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_PREVIEW_HOSTS: `127.0.0.1:${site}`,
    },
  });

const isReady = async ({ port }: Place): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    (reply) => reply.ok,
    () => false,
  );

// Before the products: each would build the app for itself.
const built = spawnSync(process.execPath, [join(root, 'scripts/build-app.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(1);
const products = places.map(start);
let isStopping = false;
const stop = (code: number): void => {
  isStopping = true;
  process.exitCode = code;
  for (const product of products) product.kill('SIGTERM');
  server.close();
};
for (const product of products) product.once('exit', () => isStopping || stop(1));
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(0));
const server = createServer((_request, response) => void response.end('ready'));
for (const place of places) while (!isStopping && !(await isReady(place))) await sleep(100);
if (!isStopping) server.listen(Number(PARLEY_BROWSER_READY), '127.0.0.1');

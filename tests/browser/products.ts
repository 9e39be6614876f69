/** Starts a product for each worker of the journeys and answers at its own port when the last is ready. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, rmSync } from 'node:fs';
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

// The app is built before the products start: each would build it for itself.
const built = spawnSync(process.execPath, [join(root, 'scripts/build-app.ts')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (built.status !== 0) process.exit(1);
let products: ChildProcess[] = [];
let isStopping = false;
const stop = (code: number): void => {
  isStopping = true;
  process.exitCode = code;
  for (const product of products) product.kill('SIGTERM');
  server.close();
};
// The folders are deleted last, when each product has ended.
process.once('exit', () => {
  for (const { data } of places) rmSync(data, { recursive: true, force: true });
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(0));
const server = createServer((_request, response) => void response.end('ready'));

const startAll = async (those: Place[]): Promise<void> => {
  products = those.map(start);
  for (const product of products) product.once('exit', () => isStopping || stop(1));
  for (const place of those) while (!isStopping && !(await isReady(place))) await sleep(100);
};

/** The first makes the database and the demo data, and the others get a copy: each for itself took three times as long. */
const makeData = async (first: Place, others: Place[]): Promise<void> => {
  const product = start(first);
  products = [product];
  let hasEnded = false;
  const ended = once(product, 'exit').then(() => {
    hasEnded = true;
  });
  while (!isStopping && !hasEnded && !(await isReady(first))) await sleep(100);
  if (hasEnded) stop(1);
  product.kill('SIGTERM');
  await ended;
  for (const { data } of others) {
    cpSync(first.data, data, { recursive: true });
    // The copy of a folder gets the usual mode, with which PostgreSQL refuses to start.
    chmodSync(join(data, 'pg'), 0o700);
  }
};

const [first, ...others] = places;
if (first !== undefined) await makeData(first, others);
if (!isStopping) await startAll(places);
if (!isStopping) server.listen(Number(PARLEY_BROWSER_READY), '127.0.0.1');

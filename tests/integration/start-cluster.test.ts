import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { signToken, until } from '@parley/testkit';
import { freePort } from '@parley/testkit/free-port';
import { makeDatabaseFolder } from '@parley/testkit/memory-folder';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const folder = makeDatabaseFolder('parley-cluster-');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const apiKey = 'cluster-key';
const secret = 'a-secret-for-clusters-under-test-only';
/** Every process that is started, however indirectly, has it in its environment. */
const mark = `PARLEY_TEST_CLUSTER=${crypto.randomUUID()}`;

/** The processes that carry the mark; where the system does not show environments, none. */
const processesLeft = (): string[] => {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark);
    } catch {
      return false;
    }
  });
};

const startCluster = async (...args: string[]) => {
  const port = await freePort();
  const [name = '', value] = mark.split('=');
  const child = spawn(process.execPath, ['scripts/start-cluster.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, [name]: value },
      ...{ PORT: String(port), PARLEY_DATA: join(folder, 'data'), PARLEY_RATE_LIMITS: 'off' },
      ...{ PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: secret },
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      said += data;
    });
  const exited = once(child, 'exit');
  // It builds the app and the server, makes a database and starts three servers: a busy machine needs minutes for it.
  await until(() => said.includes('Stop') || child.exitCode !== null, 'the addresses', 300_000);
  expect(said).toContain('Parley is running on 3 servers');
  const urlOf = (at: number) => `http://127.0.0.1:${at}`;
  const urls = [port, port + 1].map(urlOf);
  return { child, exited, urls, servers: [port + 11, port + 12, port + 13].map(urlOf), said: () => said };
};

/** Repeats what the network lost, as the SDK does. */
const send = async (url: string, id: string): Promise<number> => {
  const headers = {
    ...{ 'x-api-key': apiKey, 'content-type': 'application/json' },
    authorization: signToken(secret, { user_id: 'ana' }),
  };
  const body = JSON.stringify({ message: { id, text: id } });
  const address = `${url}/api/channels/team/general/message`;
  return until(async () => {
    const reply = await fetch(address, { method: 'POST', headers, body }).catch(() => undefined);
    return reply && reply.status < 500 ? reply.status : undefined;
  }, 'an answer');
};

test('W4 npm run start:cluster serves on both addresses while it kills a server, and leaves nothing after SIGTERM', async () => {
  const { child, exited, urls, servers, said } = await startCluster('--kill=4');
  for (const url of servers) {
    const printed = await (await fetch(`${url}/metrics`)).text();
    expect(printed).toMatch(/^parley_servers 3$/m);
    expect(printed).toMatch(new RegExp(`^parley_server_info\\{server="[^"]+${new URL(url).port}"`, 'm'));
  }
  for (const url of urls) {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await send(url, `before-${url.at(-1)}-${crypto.randomUUID()}`)).toBe(201);
  }

  await until(() => said().includes('is killed'), 'a server that is killed');
  for (const url of urls) expect(await send(url, `after-${crypto.randomUUID()}`)).toBe(201);
  await until(() => /Server \d is back after/.test(said()), 'the server that is started again', 60_000);

  child.kill('SIGTERM');
  expect((await exited)[0]).toBe(0);
  expect(processesLeft()).toEqual([]);
}, 600_000);

test('W4 a cluster whose first process is killed ends all the same', async () => {
  const { child, exited } = await startCluster();

  child.kill('SIGKILL');
  await exited;

  await until(() => processesLeft().length === 0, 'the end of all processes', 60_000);
}, 600_000);

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { signToken } from '@parley/testkit';

const pathOf = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
execFileSync(process.execPath, [pathOf('scripts/build-server.ts')]);
/** The server as `npm start` runs it. */
const main = pathOf('packages/server/dist/index.js');
export const apiKey = 'process-key';
const secret = 'a-secret-for-processes-under-test-only';

export type ServerProcess = {
  url: string;
  pid: number;
  /** A call with the server's secret, or as a user. */
  call(
    method: string,
    path: string,
    body?: unknown,
    userId?: string,
  ): Promise<{ status: number; body: unknown }>;
  signal(name: 'SIGTERM' | 'SIGKILL' | 'SIGINT' | 'SIGSTOP' | 'SIGCONT'): void;
  exited: Promise<number | null>;
  hasExited(): boolean;
  output(): string;
};

export const tokenFor = (userId?: string): string =>
  signToken(secret, userId === undefined ? { server: true } : { user_id: userId });

const settle = (child: ChildProcess) =>
  new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));

export const spawnMain = (env: Record<string, string>, cwd: string, module = main) => {
  const child = spawn(process.execPath, [module], {
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      PARLEY_API_KEY: apiKey,
      PARLEY_API_SECRET: secret,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_DRAIN_READY_MS: '0',
      PARLEY_DRAIN_RECONNECT_MS: '0',
      LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const take = (data: unknown) => {
    text += String(data);
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return { child, exited: settle(child), output: () => text };
};

const createCall =
  (url: string): ServerProcess['call'] =>
  async (method, path, body, userId) => {
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        authorization: tokenFor(userId),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

/** The real server as a process of its own; resolves when it listens. */
export const startProcess = async (
  env: Record<string, string>,
  cwd: string,
  module?: string,
): Promise<ServerProcess> => {
  const { child, exited, output } = spawnMain(env, cwd, module);
  const url = await new Promise<string>((resolve, reject) => {
    const look = () => {
      const found = /parley listening on (\S+)/.exec(output())?.[1];
      if (found) resolve(found);
    };
    child.stdout?.on('data', look);
    void exited.then((code) => reject(new Error(`The server ended with ${code}: ${output()}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    call: createCall(url),
    signal: (name) => void child.kill(name),
    exited,
    hasExited: () => child.exitCode !== null || child.signalCode !== null,
    output,
  };
};

import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@parley/testkit/free-port';
import type { BareTarget, IngestResult, Job, JobResult, ParleyTarget } from './jobs.ts';

const probe = fileURLToPath(import.meta.resolve('./probe.ts'));
const bareServer = fileURLToPath(import.meta.resolve('./bare-ws.ts'));
const bareUpload = fileURLToPath(import.meta.resolve('./bare-upload.ts'));
const loadGenerator = fileURLToPath(import.meta.resolve('./load.ts'));
const ingest = fileURLToPath(import.meta.resolve('./ingest.ts'));

export type Memory = { rss: number; heapUsed: number; external: number };

/** A server under test. */
export type Server<Target> = {
  target: Target;
  pid: number;
  /** The memory after a forced collection. */
  memory(): Promise<Memory>;
  stop(): Promise<void>;
};

const ended = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

const endChild = async (child: ChildProcess): Promise<void> => {
  if (ended(child)) return;
  const exit = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exit;
  clearTimeout(timer);
};

/** The next message of the child that holds the key; fails when the child ends before. */
const nextMessage = <T>(child: ChildProcess, key: string): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the process ended early (${code})`));
    const onMessage = (message: unknown) => {
      const value = (message as Record<string, T>)[key];
      if (value === undefined) return;
      child.off('exit', onExit);
      child.off('message', onMessage);
      resolve(value);
    };
    child.on('message', onMessage);
    child.once('exit', onExit);
  });

const memoryOf = (child: ChildProcess): Promise<Memory> => {
  const answer = nextMessage<Memory>(child, 'memory');
  child.send('memory');
  return answer;
};

const serverFlags = ['--expose-gc', '--import', probe];

const startBareServer = async (module: string, args: string[]): Promise<Server<BareTarget>> => {
  const child = fork(module, args, { execArgv: serverFlags, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const port = await nextMessage<number>(child, 'port');
  return {
    target: { port, pid: child.pid ?? 0 },
    pid: child.pid ?? 0,
    memory: () => memoryOf(child),
    stop: () => endChild(child),
  };
};

export const startBare = (): Promise<Server<BareTarget>> => startBareServer(bareServer, []);
/** Writes what it is sent into the folder. */
export const startBareUpload = (folder: string): Promise<Server<BareTarget>> =>
  startBareServer(bareUpload, [folder]);

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

export type ParleyOptions = { main: string; dataDir: string; databaseUrl: string; busUrl?: string };

export const startParley = async (options: ParleyOptions): Promise<Server<ParleyTarget>> => {
  const port = await freePort();
  const target = { port, apiKey: 'bench', apiSecret: 'bench-secret-of-more-than-32-characters' };
  const child = fork(options.main, {
    execArgv: serverFlags,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      PARLEY_DATA: options.dataDir,
      DATABASE_URL: options.databaseUrl,
      ...(options.busUrl === undefined ? {} : { BUS_URL: options.busUrl }),
      PARLEY_API_KEY: target.apiKey,
      PARLEY_API_SECRET: target.apiSecret,
      PARLEY_RATE_LIMITS: 'off',
      PARLEY_DEMO: 'off',
      LOG_LEVEL: 'warn',
    },
  });
  const end = performance.now() + 30_000;
  while (!(await isReady(port))) {
    if (ended(child)) throw new Error('Parley ended while it started');
    if (performance.now() > end) {
      await endChild(child);
      throw new Error('Parley did not become ready within 30 s');
    }
    await sleep(50);
  }
  const pid = child.pid ?? 0;
  return { target: { ...target, pid }, pid, memory: () => memoryOf(child), stop: () => endChild(child) };
};

/** Runs the client in a process of its own, so that nothing else is in its heap. */
export const runIngest = async (runs: number): Promise<IngestResult> => {
  const child = fork(ingest, ['--runs', String(runs)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    return await nextMessage<IngestResult>(child, 'ingest');
  } finally {
    await endChild(child);
  }
};

type LoadMessage = { phase?: string; result?: JobResult; error?: string };

/** Runs one job in a generator of its own. `onPhase` runs while the generator waits. */
export const runLoad = async (
  job: Job,
  onPhase: (phase: string) => Promise<void> = async () => {},
): Promise<JobResult> => {
  const child = fork(loadGenerator, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  try {
    return await new Promise<JobResult>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the load generator ended early (${code})`)));
      child.on('message', ({ phase, result, error }: LoadMessage) => {
        if (error !== undefined) reject(new Error(error));
        if (result !== undefined) resolve(result);
        if (phase !== undefined) onPhase(phase).then(() => child.send('go on'), reject);
      });
      child.send(job);
    });
  } finally {
    await endChild(child);
  }
};

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Environment } from '../start/environment.ts';
import { StartRefused } from './arguments.ts';
import type { Backend, Backends } from './backends.ts';

type Options = {
  root: string;
  env: Environment;
  backends: Backends;
  log: (line: string) => void;
  /** Between 0 and 1, for the choice of a server. */
  random: () => number;
};

const restartMs = 1000;
/** A server that stops answers the calls under way first. */
const mostStopMs = 30_000;

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

/** The server processes: one that ends by itself is started again. They end with this process, however that ends: each notices
 * that the channel to it is closed. */
export class Servers {
  #options: Options;
  #children = new Map<Backend, ChildProcess>();
  #timers = new Set<NodeJS.Timeout>();
  #isStopping = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when all are ready; rejects where one ends instead, which has printed why. */
  async start(): Promise<void> {
    const { backends } = this.#options;
    const ended = backends.all.map(async (backend) => {
      const child = this.#spawn(backend);
      await once(child, 'exit');
      if (!this.#isStopping)
        throw new StartRefused(`Server ${backend.name} did not start: it says why above.`);
      await new Promise(() => undefined);
    });
    const ready = backends.untilReady(backends.all.map(({ name }) => name));
    await Promise.race([ready, ...ended]);
    for (const [backend, child] of this.#children) this.#keep(backend, child);
  }

  /** Kills one at random, as a crash would, and starts it again. Returns its name. */
  kill(): string | undefined {
    const running = [...this.#children].filter(([, child]) => isRunning(child));
    const [backend, child] = running[Math.floor(this.#options.random() * running.length)] ?? [];
    child?.kill('SIGKILL');
    return backend?.name;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.all([...this.#children.values()].filter(isRunning).map((child) => this.#end(child)));
  }

  async #end(child: ChildProcess): Promise<void> {
    const late = setTimeout(() => child.kill('SIGKILL'), mostStopMs);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
    clearTimeout(late);
  }

  #spawn(backend: Backend): ChildProcess {
    const { root, env } = this.#options;
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts'), '--of-cluster'], {
      cwd: root,
      env: { ...env, HOST: '127.0.0.1', PORT: String(backend.port) },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // The server has a group of its own: Ctrl-C in the terminal reaches this process, which stops all in order.
      detached: true,
    });
    this.#children.set(backend, child);
    for (const stream of [child.stdout, child.stderr]) this.#print(backend, stream);
    return child;
  }

  #print({ name }: Backend, stream: Readable | null): void {
    if (!stream) return;
    createInterface({ input: stream }).on('line', (line) => {
      // The addresses of the balancer are the ones to open.
      if (!line.startsWith('parley listening on')) this.#options.log(`[${name}] ${line}`);
    });
  }

  /** Starts a server again when it has ended. */
  #keep(backend: Backend, child: ChildProcess): void {
    const { log, backends } = this.#options;
    const restart = (): void => {
      if (this.#isStopping) return;
      const endedAt = performance.now();
      const reason = child.signalCode ?? child.exitCode;
      log(`Server ${backend.name} (process ${child.pid}) has ended: ${reason}. It is started again.`);
      backends.leave(backend);
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        this.#keep(backend, this.#spawn(backend));
        void backends.untilReady([backend.name]).then(() => {
          const seconds = ((performance.now() - endedAt) / 1000).toFixed(1);
          if (!this.#isStopping) log(`Server ${backend.name} is back after ${seconds} s.`);
        });
      }, restartMs);
      this.#timers.add(timer);
    };
    if (isRunning(child)) child.once('exit', restart);
    else restart();
  }
}

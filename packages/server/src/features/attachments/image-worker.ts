import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ParleyError } from '@parley/protocol';
import { type ImageAnswer, type ImageOrder, type MadeImage, UnreadableImage } from './pictures.ts';

const program = fileURLToPath(new URL('./image-process.ts', import.meta.url));
/** How long a process may take to come up, on a machine that is busy. */
const startMs = 60_000;
/** A process without work is not kept: it holds some 60 MB. */
const idleMs = 30_000;

/** All of the environment that it gets: what decodes strangers' bytes has no business with secrets. */
const env = Object.fromEntries(
  ['PATH', 'SystemRoot', 'LD_LIBRARY_PATH', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

export class SlowImage extends UnreadableImage {}

const toImage = (said: ImageAnswer): MadeImage => {
  if (said.kind === 'made') return said.image;
  if (said.kind === 'refused') throw new ParleyError('InputInvalid', said.message, said.details);
  throw new UnreadableImage(said.kind === 'unreadable' ? said.reason : 'no answer');
};

/** One process that makes one image at a time. A limit ends the process; the next image gets a new one. */
export class ImageWorker {
  #child: ChildProcess | undefined;
  #idle: NodeJS.Timeout | undefined;
  #limitMs: number;

  constructor(limitMs: number) {
    this.#limitMs = limitMs;
  }

  async make(order: ImageOrder): Promise<MadeImage> {
    clearTimeout(this.#idle);
    const child = await this.#ready();
    try {
      const said = this.#next(child, this.#limitMs);
      child.send(order, () => undefined);
      return toImage(await said);
    } finally {
      this.#idle = setTimeout(() => this.stop(), idleMs);
      this.#idle.unref();
    }
  }

  stop(): void {
    clearTimeout(this.#idle);
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }

  async #ready(): Promise<ChildProcess> {
    if (this.#child?.connected) return this.#child;
    const child = fork(program, [], { execArgv: [], env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.#child = child;
    await this.#next(child, startMs);
    // An idle process must not keep the server from ending.
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** The next answer of the process; a process that ends or takes too long has none, and is replaced. */
  #next(child: ChildProcess, limitMs: number): Promise<ImageAnswer> {
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onEnd);
        child.off('error', onEnd);
        act();
      };
      const drop = (error: Error) =>
        settle(() => {
          child.on('error', () => undefined);
          child.kill('SIGKILL');
          if (this.#child === child) this.#child = undefined;
          reject(error);
        });
      const timer = setTimeout(() => drop(new SlowImage(`took over ${limitMs} ms`)), limitMs);
      const onMessage = (said: unknown) => settle(() => resolve(said as ImageAnswer));
      const onEnd = () => drop(new UnreadableImage('the decoder ended'));
      child.once('message', onMessage);
      child.once('exit', onEnd);
      child.once('error', onEnd);
    });
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

export type Product = {
  url: string;
  /** Resolves when the process has ended: only then nothing is written to its folder any more. */
  stop(): Promise<void>;
};

/** The product with its demo on a free port, beside the one of the journeys. */
export const startProduct = (dataDir: string, settings: Record<string, string> = {}): Promise<Product> =>
  new Promise((resolve, reject) => {
    const own = { PORT: '0', PARLEY_DATA: dataDir, PARLEY_DEMO: 'on', LOG_LEVEL: 'warn' };
    const env = { ...process.env, ...own, ...settings };
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], { cwd: root, env });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url) resolve({ url, stop });
    });
    const ended = once(child, 'exit');
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
    };
    void ended.then(() => reject(new Error(`The product did not start:\n${said}`)));
  });

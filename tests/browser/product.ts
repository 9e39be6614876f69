import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** The product with its demo on a free port, for what looks at it without being a test. */
export const startProduct = (dataDir: string): Promise<{ url: string; stop(): void }> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PORT: '0', PARLEY_DATA: dataDir, PARLEY_DEMO: 'on', LOG_LEVEL: 'warn' };
    const child = spawn(process.execPath, [join(root, 'scripts/start.ts')], { cwd: root, env });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /listening on (\S+)/.exec(said)?.[1];
      if (url) resolve({ url, stop: () => child.kill('SIGTERM') });
    });
    child.on('exit', () => reject(new Error(`The product did not start:\n${said}`)));
  });

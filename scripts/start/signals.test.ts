import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A stand-in for the server: prints its pid, and that it was asked to stop. */
const program = `
process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
console.log('up', process.pid);
setInterval(() => {}, 1000);
`;

const startBy = async (run: (script: string) => [string, string[]]) => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-signals-'));
  const script = join(folder, 'program.ts');
  writeFileSync(script, program);
  const [command, args] = run(script);
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (data) => {
    said += data;
  });
  while (!said.includes('up')) await once(child.stdout, 'data');
  const pid = Number(/up (\d+)/.exec(said)?.[1]);
  return {
    child,
    pid,
    said: () => said,
    // The pipe ends when every process that holds it has ended.
    ended: once(child.stdout, 'close').finally(() => rmSync(folder, { recursive: true, force: true })),
  };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'C1 the server stops when the shell that npm runs ends by %s without passing it on',
  async (signal) => {
    const started = await startBy((script) => ['sh', ['-c', `node scripts/bootstrap.mjs ${script}; true`]]);

    started.child.kill(signal);
    await started.ended;

    expect(started.said()).toContain('stopped');
    expect(isAlive(started.pid)).toBe(false);
  },
);

test('C1 a signal to the process that npm started is passed on', async () => {
  const started = await startBy((script) => ['node', ['scripts/bootstrap.mjs', script]]);

  started.child.kill('SIGTERM');
  await started.ended;

  expect(started.said()).toContain('stopped');
});

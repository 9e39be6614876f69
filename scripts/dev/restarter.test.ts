import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createRestarter } from './restarter.ts';

const slowToStop = `process.on('SIGTERM', () => setTimeout(() => process.exit(0), 150)); setInterval(() => {}, 1000); console.log('up')`;

const children = () => {
  const made: ChildProcess[] = [];
  const alive = () => made.filter((child) => child.exitCode === null && child.signalCode === null).length;
  const start = () => {
    const child = spawn(process.execPath, ['-e', slowToStop], { stdio: ['ignore', 'pipe', 'ignore'] });
    made.push(child);
    return child;
  };
  const up = async () => {
    const stdout = made.at(-1)?.stdout;
    if (stdout) await once(stdout, 'data');
  };
  return { made, alive, start, up };
};

test('a restart waits until the old one is gone, and there is never more than one', async () => {
  const { made, alive, start, up } = children();
  const server = createRestarter(start);
  await up();

  await Promise.all([server.restart(), server.restart()]);

  expect(made).toHaveLength(3);
  expect(alive()).toBe(1);
  await server.stop();
  expect(alive()).toBe(0);
});

test('a stop in the midst of a restart leaves nothing behind', async () => {
  const { alive, start, up } = children();
  const server = createRestarter(start);
  await up();

  void server.restart();
  await server.stop();

  expect(alive()).toBe(0);
});

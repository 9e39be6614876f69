import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchFolders } from './watch-folders.ts';

const watched = () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-watch-'));
  const changes = vi.fn();
  writeFileSync(join(root, 'a.ts'), '1');
  const stop = watchFolders([root], changes, 20);
  onTestFinished(() => {
    stop();
    rmSync(root, { recursive: true });
  });
  const save = async (name: string): Promise<void> => {
    changes.mockClear();
    writeFileSync(join(root, `${name}~`), String(Math.random()));
    renameSync(join(root, `${name}~`), join(root, name));
    await vi.waitFor(() => expect(changes).toHaveBeenCalledTimes(1));
  };
  return { root, changes, stop, save };
};

test('a file saved by renaming is noticed every time', async () => {
  const { save } = watched();

  for (let round = 0; round < 3; round++) await save('a.ts');
});

test('a folder made later is watched too', async () => {
  const { root, changes, save } = watched();

  mkdirSync(join(root, 'new'));
  await vi.waitFor(() => expect(changes).toHaveBeenCalled());

  await save('new/b.ts');
});

test('many changes at once are one, and tests are none', async () => {
  const { root, changes } = watched();

  for (const name of ['a.ts', 'b.ts', 'c.ts']) writeFileSync(join(root, name), 'x');
  await sleep(100);
  writeFileSync(join(root, 'a.test.ts'), 'x');
  await sleep(100);

  expect(changes).toHaveBeenCalledTimes(1);
});

test('after the stop nothing is received', async () => {
  const { root, changes, stop } = watched();

  stop();
  writeFileSync(join(root, 'a.ts'), '2');
  await sleep(80);

  expect(changes).not.toHaveBeenCalled();
});

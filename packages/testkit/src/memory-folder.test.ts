import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeDatabaseFolder } from './memory-folder.ts';

const memory = mkdtempSync(join(tmpdir(), 'parley-memory-'));
afterAll(() => rmSync(memory, { recursive: true }));

test('databases of tests are kept in memory where there is plenty of it', () => {
  expect(dirname(makeDatabaseFolder('parley-one-', { memory, leastFree: 1 }))).toBe(memory);
});

test.each([
  ['there is little of it', { memory, leastFree: Number.POSITIVE_INFINITY }],
  ['the system has no such folder', { memory: join(memory, 'nowhere'), leastFree: 1 }],
])('databases of tests are kept among the temporary files where %s', (_, where) => {
  const made = makeDatabaseFolder('parley-one-', where);
  rmSync(made, { recursive: true });

  expect(dirname(made)).toBe(tmpdir());
});

test('databases that a killed run has left in memory are removed, and nothing else', () => {
  const make = (name: string, hours: number): string => {
    const path = join(memory, name);
    mkdirSync(path);
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(path, at, at);
    return path;
  };
  const left = make('parley-left', 7);
  const [running, other] = [make('parley-running', 5), make('other', 7)];
  makeDatabaseFolder('parley-one-', { memory, leastFree: 1 });

  expect([left, running, other].map((path) => existsSync(path))).toEqual([false, true, true]);
});

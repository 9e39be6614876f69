import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildServer } from './server-build.ts';

const server = 'packages/server/src';

const checkout = (source: string): string => {
  const root = mkdtempSync(join(tmpdir(), 'parley-server-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, server, 'lib'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  writeFileSync(join(root, server, 'index.ts'), source);
  writeFileSync(
    join(root, server, 'lib', 'place.ts'),
    'export const place: string = new URL("./other.ts", import.meta.url).pathname;',
  );
  return root;
};
const run = (file: string): string => spawnSync(process.execPath, [file], { encoding: 'utf8' }).stdout;

test('W1 the server is one file that finds what lies beside its sources, and is made again when a source changes', async () => {
  const root = checkout('import { place } from "./lib/place.ts"; console.log(place);');

  const file = await buildServer(root);
  expect(run(file)).toBe(`${join(root, server, 'lib', 'other.ts')}\n`);
  const { ino } = statSync(file);
  await buildServer(root);
  expect(statSync(file).ino).toBe(ino);

  writeFileSync(join(root, server, 'index.ts'), 'console.log("another version");');
  expect(run(await buildServer(root))).toBe('another version\n');
});

test('W1 a bundle that cannot be made leaves the last one, and nothing beside it', async () => {
  const root = checkout('console.log("good");');
  const file = await buildServer(root);
  writeFileSync(join(root, server, 'index.ts'), 'import "./gone.ts";');

  await expect(buildServer(root)).rejects.toThrow(/gone\.ts/);

  expect(run(file)).toBe('good\n');
  expect(readdirSync(join(file, '..'))).toEqual(['index.js']);
});

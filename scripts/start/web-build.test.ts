import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildWeb } from './web-build.ts';

const repository = join(import.meta.dirname, '..', '..');

const checkout = (): string => {
  const root = mkdtempSync(join(tmpdir(), 'parley-build-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'apps/web/src'), { recursive: true });
  mkdirSync(join(root, 'packages/client/src'), { recursive: true });
  writeFileSync(join(root, 'apps/web/package.json'), '{"type":"module"}');
  writeFileSync(join(root, 'apps/web/src/main.ts'), `document.title = ${JSON.stringify('x'.repeat(2000))};`);
  symlinkSync(join(repository, 'apps/web/node_modules'), join(root, 'apps/web/node_modules'));
  return root;
};

const withPage = (root: string): string => {
  const page =
    '<!doctype html><html><head></head><body><script type="module" src="/src/main.ts"></script></body></html>';
  writeFileSync(join(root, 'apps/web/index.html'), page);
  return root;
};

test('the app is built once, with compressed twins, and again when a source changes', async () => {
  const root = withPage(checkout());
  const said: string[] = [];
  const build = () => buildWeb(root, (line) => said.push(line));

  expect(await build()).toBe('built');
  const endings = readdirSync(join(root, 'apps/web/dist/assets')).map((name) =>
    name.split('.').slice(1).join('.'),
  );
  expect(endings.sort()).toEqual(['js', 'js.br', 'js.gz']);
  expect(await build()).toBe('fresh');
  writeFileSync(join(root, 'apps/web/src/main.ts'), 'document.title = "other";');
  expect(await build()).toBe('built');
  expect(said).toHaveLength(2);
});

test('a build that fails leaves the last one in place', async () => {
  const root = withPage(checkout());
  await buildWeb(root, () => {});
  writeFileSync(join(root, 'apps/web/src/main.ts'), 'import "./gone.ts";');

  await expect(buildWeb(root, () => {})).rejects.toThrow(/could not be built.*gone\.ts/s);
  expect(existsSync(join(root, 'apps/web/dist/index.html'))).toBe(true);
  expect(readdirSync(join(root, '.cache'))).toEqual(['web-build']);

  writeFileSync(join(root, 'apps/web/src/main.ts'), 'document.title = "good";');
  expect(await buildWeb(root, () => {})).toBe('built');
});

test('without an app there is nothing to build', async () => {
  expect(await buildWeb(checkout(), () => {})).toBe('absent');
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceStamp } from './sources.ts';

test('the stamp follows the sources, and neither tests nor what was built', () => {
  const root = mkdtempSync(join(tmpdir(), 'parley-sources-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const folders = ['apps/web', 'packages/client/src'];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  const before = sourceStamp(root, folders);

  mkdirSync(join(root, 'apps/web/dist'));
  writeFileSync(join(root, 'apps/web/dist/index.html'), 'built');
  writeFileSync(join(root, 'packages/client/src/a.test.ts'), 'test');
  expect(sourceStamp(root, folders)).toBe(before);

  writeFileSync(join(root, 'packages/client/src/a.ts'), 'code');
  expect(sourceStamp(root, folders)).not.toBe(before);
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

const manifest = (name: string, exports: Record<string, string>): string =>
  JSON.stringify({ name: `@parley/${name}`, exports });

const manifests: Record<string, string> = {
  'packages/protocol/package.json': manifest('protocol', {
    '.': './src/index.ts',
    './errors': './src/errors.ts',
  }),
  'packages/server/package.json': manifest('server', { '.': './src/index.ts' }),
  'packages/client/package.json': manifest('client', { '.': './src/index.ts' }),
  'packages/react/package.json': manifest('react', { '.': './src/index.ts' }),
};

/** A small repository on disk, gone when the test is over; returns its root. */
export const repository = (files: Record<string, string>): string => {
  const root = mkdtempSync(join(tmpdir(), 'parley-check-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ...manifests, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
};

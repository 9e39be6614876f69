import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowser } from '@parley/testkit/browser';
import { chromium } from '@playwright/test';
import { expect, test, vi } from 'vitest';

const featuresIn = (args: readonly string[]): string[][] =>
  args
    .filter((arg) => arg.startsWith('--disable-features='))
    .map((arg) => arg.slice(arg.indexOf('=') + 1).split(','));

test('W1 our list of features to switch off, which replaces that of Playwright, holds all of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-features-'));
  const executablePath = join(folder, 'chrome');
  const received = join(folder, 'args');
  writeFileSync(executablePath, `#!/bin/sh\nprintf '%s\\n' "$@" > "${received}"\nexit 1\n`);
  chmodSync(executablePath, 0o755);
  vi.stubEnv('PARLEY_CHROMIUM', executablePath);
  const found = await findBrowser();
  if ('missing' in found) throw new Error(found.missing);

  await chromium.launch(found).catch(() => {});
  const [playwrights = [], ours = []] = featuresIn(readFileSync(received, 'utf8').split('\n'));
  rmSync(folder, { recursive: true });

  expect(playwrights.length).toBeGreaterThan(0);
  expect(ours).toEqual(expect.arrayContaining(playwrights));
});

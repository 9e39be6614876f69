import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ensureBrowser, findBrowser } from './browser.ts';

afterEach(() => vi.unstubAllEnvs());

test('PARLEY_CHROMIUM wins over what is installed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-browser-'));
  const executablePath = join(folder, 'chrome');
  writeFileSync(executablePath, '');
  chmodSync(executablePath, 0o755);
  vi.stubEnv('PARLEY_CHROMIUM', executablePath);

  const browser = await findBrowser();
  rmSync(folder, { recursive: true });

  expect(browser).toMatchObject({ executablePath, args: expect.arrayContaining(['--disable-quic']) });
});

test('a PARLEY_CHROMIUM that cannot run is reported, not replaced', async () => {
  vi.stubEnv('PARLEY_CHROMIUM', '/nowhere/chrome');

  expect(await ensureBrowser()).toEqual({ missing: expect.stringContaining('/nowhere/chrome') });
});

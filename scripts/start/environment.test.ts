import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readEnvironment } from './environment.ts';

const folder = (envFile?: string): string => {
  const root = mkdtempSync(join(tmpdir(), 'parley-env-'));
  if (envFile !== undefined) writeFileSync(join(root, '.env'), envFile);
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
};

test('the demo is on unless someone says otherwise or it is production', () => {
  expect(readEnvironment(folder(), {}).PARLEY_DEMO).toBe('on');
  expect(readEnvironment(folder(), { PARLEY_DEMO: 'off' }).PARLEY_DEMO).toBe('off');
  expect(readEnvironment(folder('NODE_ENV=production\n'), {}).PARLEY_DEMO).toBe('off');
});

test('the environment goes before the .env file', () => {
  const root = folder('PORT=9000\nHOST="0.0.0.0" # all\n');

  expect(readEnvironment(root, { PORT: '9001' })).toMatchObject({ PORT: '9001', HOST: '0.0.0.0' });
});

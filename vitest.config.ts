import { defineConfig } from 'vitest/config';
import { LongestFirst } from './scripts/test/longest-first.ts';
import { keepUnhandled } from './scripts/test/unhandled-errors.ts';

const shared = {
  setupFiles: ['packages/testkit/src/patience.ts'],
  // A worker loads the product once and runs file after file: loading it anew for each took a quarter of the time.
  isolate: false,
  // No test or hook measures time by its limit; what a test waits for has its own, which says its name. On a machine whose cores are busy
  // with other work, a test that builds two versions of the server and starts them took more than 90 s.
  testTimeout: 300_000,
  hookTimeout: 180_000,
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    // On the root, not in the projects: one PostgreSQL for the whole run, not one for each project.
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    onUnhandledError: keepUnhandled,
    sequence: { sequencer: LongestFirst },
    // They wait for a database or a clock half of the time: two at once left half of two cores idle.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: [
            'packages/**/src/**/*.test.{ts,tsx}',
            'apps/**/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'across',
          // One project for both: a worker loads the product anew for each.
          include: ['tests/integration/**/*.test.ts', 'tests/sync/**/*.test.ts'],
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

const setupFiles = ['packages/testkit/src/patience.ts'];

export default defineConfig({
  test: {
    // On the root, not in the projects: one PostgreSQL for the whole run, not one for each project.
    globalSetup: ['packages/testkit/src/global-setup.ts'],
    // Most of them wait for a database or a clock: two go beside each other even on two cores.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'packages/**/src/**/*.test.{ts,tsx}',
            'apps/**/src/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
          ],
          setupFiles,
          // No test measures time: a busy machine may take long.
          testTimeout: 60_000,
        },
      },
      { test: { name: 'sync', include: ['tests/sync/**/*.test.ts'], setupFiles, testTimeout: 90_000 } },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          setupFiles,
          testTimeout: 90_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

// npm run faults -- 100 7: a hundred rounds with the seed 7. Cuts and pauses are as long as they are in earnest.
const [rounds = '100', seed = String(Date.now() % 100_000)] = process.argv.slice(2);
const root = join(import.meta.dirname, '..');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'tests/integration/faults.test.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    PARLEY_TEST_FAULT_LONG: '1',
    PARLEY_TEST_FAULT_ROUNDS: rounds,
    PARLEY_TEST_FAULT_SEED: seed,
  },
});
process.exit(status ?? 1);

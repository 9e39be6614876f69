/** Set-up of every test file: what is waited for may take its time on a busy machine. No test measures time by it. */
import { vi } from 'vitest';

const patience = 20_000;
const { waitFor } = vi;

const waitPatiently: typeof waitFor = (check, options) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: patience, ...options });

// The files of a worker share one process: this runs again for each, and none leaves its clock to the next.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently;
vi.useRealTimers();

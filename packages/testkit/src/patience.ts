/** Set-up of every test file: what is waited for may take its time on a busy machine. No test measures time by it. */
import { vi } from 'vitest';

const patience = 20_000;
const { waitFor } = vi;

vi.waitFor = (check, options) =>
  waitFor(check, typeof options === 'number' ? options : { timeout: patience, ...options });

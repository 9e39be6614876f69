import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { InlineConfig } from 'vitest/node';
import type { UnhandledError } from './tally.ts';

/**
 * The function for Vitest's `onUnhandledError`: errors that no test awaited fail the run, and its JSON report says nothing of them.
 * Where PARLEY_UNHANDLED_ERRORS names a file, each is kept there as a line.
 */
export const keepUnhandled: InlineConfig['onUnhandledError'] = (error) => {
  const path = process.env.PARLEY_UNHANDLED_ERRORS;
  if (path === undefined) return;
  const { name = 'Error', message, stack, type } = error;
  // Vitest adds where it was when the error came up, and names both in no type.
  const { VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }: Record<string, unknown> = { ...error };
  const kept: UnhandledError = {
    message: stack ?? `${name}: ${message}`,
    type,
    ...(typeof file === 'string' && { file }),
    ...(typeof test === 'string' && { test }),
  };
  appendFileSync(path, `${JSON.stringify(kept)}\n`);
};

export const readUnhandled = (path: string): UnhandledError[] => {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as UnhandledError);
};

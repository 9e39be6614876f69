import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { codeOf } from './code-of.ts';

/**
 * Creates a file that the owner alone may read; false where there is one already. link() is exclusive and shows the
 * file with its content at once, so no process reads half of it, and of several that create it one succeeds.
 */
export const createWhole = (path: string, text: string): boolean => {
  const draft = `${path}.${process.pid}-${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
};

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Check } from './outcome.ts';
import { readTextIfAny } from './source-files.ts';

type ErrorTable = Record<string, { code: number; status: number }>;

/** Each error needs a row `| code | name | status |` with the same numbers. */
export const errorTableProblems = (table: ErrorTable, docs: string): string[] =>
  Object.entries(table)
    .filter(([name, { code, status }]) => {
      const row = new RegExp(`^\\|\\s*${code}\\s*\\|\\s*\`?${name}\`?\\s*\\|\\s*${status}\\s*\\|`, 'm');
      return !row.test(docs);
    })
    .map(
      ([name, { code, status }]) =>
        `docs/protocol.md has no row that begins | ${code} | ${name} | ${status} |`,
    );

export const errorTable: Check = {
  name: 'error table',
  run: async (root) => {
    const docs = readTextIfAny(root, 'docs/protocol.md');
    if (docs === undefined) return { problems: [], skipped: 'docs/protocol.md is not written yet' };
    const path = join(root, 'packages/protocol/src/errors.ts');
    const module = (await import(pathToFileURL(path).href)) as { errorTable: ErrorTable };
    return { problems: errorTableProblems(module.errorTable, docs) };
  },
};

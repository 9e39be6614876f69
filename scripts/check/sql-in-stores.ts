import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const server = 'packages/server/src/';

/** Queries stand in stores, and in the folders that stores are built on. */
const mayQuery = /^packages\/server\/src\/(?:(?:db|events|query)\/|(?:.+[/-])store\.ts$)/;

/** The ways to write a statement: the tag and the builder of Kysely, and texts that begin as one. What begins and ends a
 * transaction or sets an option of the connection reads and writes no row, so it may stand anywhere. */
const statements = new RegExp(
  [
    /\bsql\s*(?:<|`|\.\w+\()/,
    /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(/,
    /[`'"]\s*(?:(?:select|delete from|insert into|update \w+(?: \w+)? set)\s|with \w+ as \()/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

export const sqlInStoresProblems = (path: string, text: string): string[] => {
  if (mayQuery.test(path)) return [];
  const code = withoutComments(path, text);
  return [...code.matchAll(statements)].map(({ index }) => {
    const line = code.slice(0, index).split('\n').length;
    return `${path}:${line} holds SQL: move it to the store of the feature that owns the table, and call that`;
  });
};

/** A reader of a store sees all that is asked of its tables; a statement elsewhere is missed when the table changes. */
export const sqlInStores: Check = {
  name: 'SQL in stores',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith(server) && !isTestFile(path))
      .flatMap((path) => sqlInStoresProblems(path, readText(root, path))),
  }),
};

import type { Check } from './outcome.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

/** The columns of a result that are not named: `select *` at the start of a statement, and `returning *`. Within a statement, as a
 * part whose columns the outer select names, a star does no harm. */
const stars = /(?:[`'"]\s*select (?:\w+\.)?\*|\breturning (?:\w+\.)?\*)/g;

export const namedColumnProblems = (path: string, text: string): string[] =>
  [...text.matchAll(stars)].map(({ index }) => {
    const line = text.slice(0, index).split('\n').length;
    return `${path}:${line} selects columns that it does not name: write columnsOf('…') of db/columns.ts`;
  });

/** A statement with a star fails in a running server as soon as a newer one adds a column. */
export const namedColumns: Check = {
  name: 'named columns',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith('packages/server/src/') && !isTestFile(path))
      .flatMap((path) => namedColumnProblems(path, readText(root, path))),
  }),
};

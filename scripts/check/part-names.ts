import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

/** The folders of the kit that know no feature which adds to them. */
const general = ['chat', 'list', 'markdown', 'conversation', 'features/messages', 'features/composer'].map(
  (folder) => `packages/react/src/${folder}/`,
);

const parts = /poll|location|reminder|voice|link-?preview/gi;

export const partNameProblems = (path: string, text: string): string[] => {
  if (!general.some((folder) => path.startsWith(folder))) return [];
  const code = withoutComments(path, text);
  return [...code.matchAll(parts)].map(
    ({ 0: name, index }) =>
      `${path}:${code.slice(0, index).split('\n').length} names ${name}: let it be a part that features/all.tsx fills in`,
  );
};

/** The composition root fills in the parts that a message shows and a composer offers, so neither names one. */
export const partNames: Check = {
  name: 'names of parts',
  run: async (root) => ({
    problems: listFiles(root, ['.ts', '.tsx'])
      .filter((path) => !isTestFile(path))
      .flatMap((path) => partNameProblems(path, readText(root, path))),
  }),
};

import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

/** The features with timers of their own, each with its reason. Work that must survive the server belongs to `work/`. */
const exceptions: Record<string, string> = {
  attachments:
    'time limits of uploads and conversions, and the sweep for unused files, which the next start repeats',
  messages: 'the wait for the outcome of a commit whose answer was lost',
  presence: 'the grace before a person counts as offline',
  search: 'the pace of the index, whose queue is in the database',
};

export const timerProblems = (path: string, text: string): string[] => {
  const feature = /\/features\/([^/]+)\//.exec(path)?.[1];
  if (feature === undefined || exceptions[feature] !== undefined) return [];
  const code = withoutComments(path, text);
  return [...code.matchAll(/\bset(?:Timeout|Interval)\b/g)].map(
    ({ index }) =>
      `${path}:${code.slice(0, index).split('\n').length} has a timer of its own: use a due job, coalescer or task of work/`,
  );
};

/** A timer of a feature is lost with its server, and runs on each of several servers. */
export const featureTimers: Check = {
  name: 'timers of features',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith('packages/server/src/features/') && !isTestFile(path))
      .flatMap((path) => timerProblems(path, readText(root, path))),
  }),
};

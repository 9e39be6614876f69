import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

/** The files of features with timers of their own, each with its reason. Work that must survive the server belongs to `work/`. */
const exceptions: Record<string, string> = {
  'attachments/image-worker.ts': 'the time limit of a conversion, and the end of an idle process',
  'attachments/receive.ts': 'the time limits of an upload, which belong to its request',
  'messages/unsure-sends.ts': 'the wait for the outcome of a commit whose answer was lost',
  'presence/service.ts': 'the grace before a person counts as offline',
  'search/indexing.ts': 'the pace of the index, whose queue is in the database',
};

export const timerProblems = (path: string, text: string): string[] => {
  const file = /\/features\/(.+)$/.exec(path)?.[1];
  if (file === undefined || exceptions[file] !== undefined) return [];
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

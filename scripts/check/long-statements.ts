import type { Check } from './outcome.ts';
import { withoutComments } from './scan.ts';
import { isTestFile, listFiles, readText } from './source-files.ts';

const server = 'packages/server/src/';

/** The files whose statements may take a minute, by the connections that they use. Every other statement outside a transaction is a
 * read of a call, and ends after two seconds: add a file only if no caller waits for its reads. */
const files: Record<string, readonly string[]> = {
  // Jobs, tasks, counts in the background, the keeping of the log.
  background: [
    'server.ts',
    'work/long-task.ts',
    'work/long-task-run.ts',
    'features/attachments/collector.ts',
    'features/channel-preferences/mute-expiry.ts',
    'features/locations/expiry.ts',
    'features/messages/pin-expiry.ts',
    'features/polls/expiry.ts',
    'features/reads/counts.ts',
    'features/reminders/due-job.ts',
    'features/scheduled-messages/sending-job.ts',
  ],
  // Transactions of their own: the index of the search, and migrations.
  pool: ['server.ts', 'features/search/indexing.ts'],
  // Lanes and publishers of commits that many share, and the link between servers.
  connectPipelined: [
    'server.ts',
    'features/locations/position-lane.ts',
    'features/locations/publishing.ts',
    'features/messages/group-commit.ts',
    'features/polls/feature.ts',
  ],
};

const use = /\bpools\s*\.\s*(background|pool|connectPipelined)\b/g;

export const longStatementProblems = (path: string, text: string): string[] =>
  [...withoutComments(path, text).matchAll(use)]
    .filter(([, name = '']) => !files[name]?.includes(path.replace(server, '')))
    .map(
      ([, name]) =>
        `${path} uses pools.${name} and is not listed in scripts/check/long-statements.ts: reads go through kernel.db`,
    );

/** Reads that a caller waits for end after two seconds. */
export const longStatements: Check = {
  name: 'long statements',
  run: async (root) => ({
    problems: listFiles(root, ['.ts'])
      .filter((path) => path.startsWith(server) && !isTestFile(path))
      .flatMap((path) => longStatementProblems(path, readText(root, path))),
  }),
};

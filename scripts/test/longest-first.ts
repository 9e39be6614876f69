import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Those that take more than 15 s, the longest first: one that began late would run alone at the end. */
export const longest = [
  'tests/integration/faults.test.ts',
  'tests/integration/doors/calls.test.ts',
  'tests/integration/cluster.test.ts',
  'tests/integration/packages.test.ts',
  'tests/integration/job-processes.test.ts',
  'tests/integration/start-cluster.test.ts',
  'tests/integration/slow-channel.test.ts',
  'tests/integration/poll-totals.test.ts',
  'tests/integration/reconnect.test.ts',
  'tests/integration/rolling-upgrade.test.ts',
  'tests/integration/doors/events.test.ts',
  'tests/integration/lost-commits.test.ts',
  'tests/integration/work-processes.test.ts',
];

const rankOf = ({ moduleId }: Pick<TestSpecification, 'moduleId'>): number => {
  const rank = longest.findIndex((path) => moduleId.endsWith(path));
  return rank < 0 ? longest.length : rank;
};

/** Vitest knows how long a file takes only from an earlier run, and a fresh clone has none: there it goes by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

import { expect, test } from 'vitest';
import { lastLine, tallyPlaywright, tallyVitest, withExitCode } from './tally.ts';

const nothing = { passed: 0, failed: 0, failures: [], skips: [], warnings: [] };

test('vitest: counts tests, names failed and skipped ones, a file that broke is one failure', () => {
  const tally = tallyVitest({
    testResults: [
      { name: '/x/broken.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      {
        name: '/x/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'one' },
          { status: 'failed', fullName: 'two', failureMessages: ['Error: no\n  at a.ts:1'] },
          { status: 'skipped', fullName: 'three' },
        ],
      },
    ],
  });

  expect(tally).toEqual({
    passed: 1,
    failed: 2,
    failures: ['a.test.ts two: Error: no', 'broken.test.ts did not run: No such module'],
    skips: ['three (skipped)'],
    warnings: [],
  });
});

test('playwright: flaky passes with a warning, a skip keeps its reason', () => {
  const spec = (
    title: string,
    status: string,
    annotations: { type: string; description?: string }[] = [],
    results: { errors: { message: string; location: { line: number } }[] }[] = [],
  ) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ projectName: 'phone', status, annotations, results }],
  });
  const errors = [
    { message: '\u001b[31mError: not visible\u001b[39m\n\n  Expected: visible', location: { line: 7 } },
  ];
  const tally = tallyPlaywright({
    suites: [
      {
        specs: [spec('one', 'expected'), spec('two', 'flaky'), spec('four', 'unexpected', [], [{ errors }])],
        suites: [{ specs: [spec('three', 'skipped', [{ type: 'skip', description: 'no camera' }])] }],
      },
    ],
    errors: [{ message: 'the server did not start' }],
  });

  expect(tally).toMatchObject({
    passed: 2,
    failed: 2,
    failures: [
      'a.spec.ts [phone] four: line 7\n  Error: not visible\n  Expected: visible',
      'the server did not start',
    ],
    skips: ['a.spec.ts [phone] three: no camera'],
  });
  expect(tally.warnings).toHaveLength(1);
});

test('a bad exit code is never a pass', () => {
  expect(withExitCode(nothing, 1, 'vitest')).toMatchObject({ failed: 1 });
  expect(withExitCode({ ...nothing, failed: 3 }, 1, 'vitest')).toMatchObject({ failed: 3 });
});

test('the last line sums all parts', () => {
  const parts = [
    { ...nothing, passed: 2 },
    { ...nothing, passed: 3, failed: 1 },
  ];

  expect(lastLine(parts)).toBe('5 passed, 1 failed');
  expect(lastLine([...parts, { ...nothing, skips: ['all browser journeys'] }])).toBe(
    '5 passed, 1 failed, 1 skipped',
  );
});

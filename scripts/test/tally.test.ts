import { expect, test } from 'vitest';
import { lastLine, namesOf, tallyPlaywright, tallyVitest, withExitCode, withUnhandled } from './tally.ts';

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

test('playwright: a failure is printed in six lines, without the frame of its comparison', () => {
  const message = [
    'Error: light',
    'expect(received).toEqual(expected) // deep equality',
    '- Expected  - 1',
    '+ Received  + 3',
    ...['- Array []', '+ Array [', '+   "region: #_r_n_",', '+ ]', '  30 | code', '> 32 | code'],
  ].join('\n');
  const results = [{ errors: [{ message, location: { line: 32 } }] }];
  const tests = [{ projectName: 'desktop', status: 'unexpected', annotations: [], results }];
  const tally = tallyPlaywright({
    suites: [{ specs: [{ title: 'one', file: 'a.spec.ts', tests }] }],
    errors: [],
  });

  const reason = 'Error: light\n  - Array []\n  + Array [\n  +   "region: #_r_n_",\n  + ]';
  expect(tally.failures).toEqual([`a.spec.ts [desktop] one: line 32\n  ${reason}`]);
  expect(namesOf([tally])).toEqual(['a.spec.ts [desktop] one: line 32']);
});

test('vitest: an error that no test awaited is a failure with its file, its test and where it came from', () => {
  const stack = ['Error: lost', ...Array.from({ length: 9 }, (_, line) => `    at a.ts:${line}`)].join('\n');
  const tally = withUnhandled({ ...nothing, passed: 2 }, [
    { message: stack, type: 'Unhandled Rejection', file: '/x/a.test.ts', test: 'one' },
    { message: 'Worker exited' },
  ]);

  expect(tally).toMatchObject({ passed: 2, failed: 2 });
  expect(tally.failures).toEqual([
    'a.test.ts Unhandled Rejection during "one": Error: lost\n  at a.ts:0\n  at a.ts:1\n  at a.ts:2\n  at a.ts:3',
    'no file Unhandled error: Worker exited',
  ]);
});

test('the names of many long failures fit into the end of an output', () => {
  const failures = Array.from({ length: 15 }, (_, at) => `${at} ${'word '.repeat(60)}\n${'why '.repeat(99)}`);

  const names = namesOf([{ ...nothing, failures }]);

  expect(names).toHaveLength(15);
  expect(names.join('\n').length).toBeLessThan(2_000);
});

test('a bad exit code is never a pass, and comes with the last words', () => {
  expect(withExitCode(nothing, 1, 'vitest')).toMatchObject({ failed: 1 });
  expect(withExitCode(nothing, 1, 'vitest', 'one\n\ntwo\n').warnings).toEqual([
    'vitest ended with exit code 1\n  one\n  two',
  ]);
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

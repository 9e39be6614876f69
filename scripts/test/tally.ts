import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** The result of one part of the test run; `failures`, `skips` and `warnings` are printed again at the very end. */
export type Tally = {
  passed: number;
  failed: number;
  failures: string[];
  skips: string[];
  warnings: string[];
};

type Assertion = { status: string; fullName: string; failureMessages?: string[] };
export type VitestReport = {
  testResults: { name: string; status: string; message?: string; assertionResults: Assertion[] }[];
};

/** Errors that nobody awaited: they fail the run though every test passed. */
export type UnhandledError = { message: string; type?: string; file?: string; test?: string };

/** The end of the output may be all that somebody gets to read: it must hold every failure. */
const reasonLines = 5;

const shorten = (text: string): string[] =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

const firstLine = (text: string | undefined): string => text?.trim().split('\n', 1)[0] || 'no reason given';

/** A file that broke before its first test counts as one failure. */
export const tallyVitest = (report: VitestReport): Tally => {
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const count = (status: string): number => tests.filter((test) => test.status === status).length;
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const skipped = tests.filter((test) => test.status !== 'passed' && test.status !== 'failed');
  const failures = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${basename(file.name)} ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`),
  );
  return {
    passed: count('passed'),
    failed: count('failed') + broken.length,
    failures: [
      ...failures,
      ...broken.map((file) => `${basename(file.name)} did not run: ${firstLine(file.message)}`),
    ],
    skips: skipped.map((test) => `${test.fullName} (${test.status})`),
    warnings: [],
  };
};

/** Each such error is a failure, named after the file and the test that ran when it came up. */
export const withUnhandled = (tally: Tally, errors: UnhandledError[]): Tally => {
  const failures = errors.map(({ message, type = 'Unhandled error', file = 'no file', test }) => {
    const during = test === undefined ? '' : ` during "${test}"`;
    return `${basename(file)} ${type}${during}: ${shorten(message).slice(0, reasonLines).join('\n  ')}`;
  });
  return {
    ...tally,
    failed: tally.failed + failures.length,
    failures: [...tally.failures, ...failures],
  };
};

type Annotation = { type: string; description?: string };
type Problem = { message?: string; location?: { line: number } };
type Spec = {
  title: string;
  file: string;
  tests: {
    projectName: string;
    status: string;
    annotations: Annotation[];
    results?: { errors?: Problem[] }[];
  }[];
};
type Suite = { specs?: Spec[]; suites?: Suite[] };
export type PlaywrightReport = { suites: Suite[]; errors: { message?: string }[] };

const specsIn = (suite: Suite): Spec[] => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsIn)];

/** Lines of a comparison that say nothing of what was compared. */
const isFrame = (line: string): boolean =>
  /^(expect\(received\)|- Expected +- \d|\+ Received +\+ \d|Timeout:|Call log:)/.test(line);

/** The line and the words of a journey's failure. */
const explain = (problems: Problem[]): string => {
  const [problem] = problems;
  if (problem === undefined) return 'no reason given';
  const lines = shorten(problem.message ?? '').filter((line) => !isFrame(line));
  return [`line ${problem.location?.line ?? '?'}`, ...lines.slice(0, reasonLines)].join('\n  ');
};

/** A flaky test passed, and is named in the warnings. */
export const tallyPlaywright = (report: PlaywrightReport): Tally => {
  const tests = report.suites.flatMap(specsIn).flatMap((spec) =>
    spec.tests.map((test) => ({
      status: test.status,
      name: `${spec.file} [${test.projectName}] ${spec.title}`,
      problem: explain(test.results?.flatMap((result) => result.errors ?? []) ?? []),
      reason: test.annotations.find((note) => note.type === 'skip')?.description ?? 'no reason given',
    })),
  );
  const having = (status: string) => tests.filter((test) => test.status === status);
  return {
    passed: having('expected').length + having('flaky').length,
    failed: having('unexpected').length + report.errors.length,
    failures: [
      ...having('unexpected').map((test) => `${test.name}: ${test.problem}`),
      ...report.errors.map((error) => firstLine(error.message)),
    ],
    skips: having('skipped').map((test) => `${test.name}: ${test.reason}`),
    warnings: having('flaky').map((test) => `${test.name} passed only when tried again`),
  };
};

/** A runner that ended badly has failed at least once, whatever its report says; `said` is the end of its error output. */
export const withExitCode = (tally: Tally, exitCode: number, name: string, said = ''): Tally => {
  if (exitCode === 0 || tally.failed > 0) return tally;
  const words = [`${name} ended with exit code ${exitCode}`, ...shorten(said).slice(-reasonLines)];
  return { ...tally, failed: 1, warnings: [...tally.warnings, words.join('\n  ')] };
};

/** The length up to which a name is printed: longer ones are cut. */
const nameLength = 120;

/** One line for each failure, short enough for the end of a long output. */
export const namesOf = (tallies: Tally[]): string[] =>
  tallies
    .flatMap((tally) => tally.failures)
    .map((failure) => failure.split('\n', 1)[0]?.slice(0, nameLength) ?? '');

const sum = (tallies: Tally[], pick: (tally: Tally) => number): number =>
  tallies.reduce((total, tally) => total + pick(tally), 0);

/** The last line of the run. */
export const lastLine = (tallies: Tally[]): string => {
  const skipped = sum(tallies, (tally) => tally.skips.length);
  const counts = `${sum(tallies, (tally) => tally.passed)} passed, ${sum(tallies, (tally) => tally.failed)} failed`;
  return skipped === 0 ? counts : `${counts}, ${skipped} skipped`;
};

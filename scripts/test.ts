import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { runChecks } from './check/run-checks.ts';
import { buildServer } from './start/server-build.ts';
import { buildWeb } from './start/web-build.ts';
import {
  lastLine,
  namesOf,
  type PlaywrightReport,
  type Tally,
  tallyPlaywright,
  tallyVitest,
  type VitestReport,
  withExitCode,
  withUnhandled,
} from './test/tally.ts';
import { readUnhandled } from './test/unhandled-errors.ts';

const root = join(import.meta.dirname, '..');
const cache = join(root, '.cache');
const browserConfig = 'tests/browser/playwright.config.ts';

/** Each server that a test starts would strip and compile the same files again: this halves the work of a start. */
const compiled = { NODE_COMPILE_CACHE: join(cache, 'compiled') };

type Runner = { name: string; module: string; args: string[]; report: string; env?: Record<string, string> };

/** Passes whole lines on: two runners write at once, and neither tears a line of the other. */
const passLines = (from: Readable, to: NodeJS.WritableStream): void => {
  let rest = '';
  from.setEncoding('utf8').on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) to.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  from.on('end', () => {
    if (rest !== '') to.write(`${rest}\n`);
  });
};

const colours = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};

/** Resolves when the runner has ended. `said` is the end of its error output, which is also printed as it comes. */
const start = ({ module, args, env }: Runner): Promise<{ exitCode: number; said: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [join(root, 'node_modules', module), ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...compiled, ...colours, ...env },
    });
    let said = '';
    passLines(child.stdout, process.stdout);
    passLines(child.stderr, process.stderr);
    child.stderr.on('data', (text: string) => {
      said = `${said}${text}`.slice(-2_000);
    });
    child.on('error', ({ message }) => resolve({ exitCode: 1, said: message }));
    child.on('close', (code) => resolve({ exitCode: code ?? 1, said }));
  });

const run = async <Report>(runner: Runner, tally: (report: Report) => Tally): Promise<Tally> => {
  const path = join(cache, runner.report);
  rmSync(path, { force: true });
  const { exitCode, said } = await start(runner);
  if (!existsSync(path)) {
    return {
      passed: 0,
      failed: 1,
      failures: [],
      skips: [],
      warnings: [`${runner.name} left no report, exit code ${exitCode}`],
    };
  }
  const report = JSON.parse(readFileSync(path, 'utf8')) as Report;
  return withExitCode(tally(report), exitCode, runner.name, said);
};

/** Builds the product before the tests: those that start one would each build it, and replace the app of the others. */
const build = async (): Promise<void> => {
  await buildServer(root).catch(() => undefined);
  await buildWeb(root, () => undefined).catch(() => undefined);
};
let built: Promise<void> | undefined;
const untilBuilt = (): Promise<void> => {
  built ??= build();
  return built;
};

const check = async (): Promise<Tally> => {
  // The output of the checks is printed as one block at their end: line by line it would stand between the lines of the tests.
  const lines: string[] = [];
  const reports = await runChecks(root, (line) => lines.push(line));
  console.log(`\n${lines.join('\n')}\n`);
  const failures = reports.filter(({ problems }) => problems.length > 0).map(({ name }) => `check ${name}`);
  const failed = failures.length;
  const skips = reports.flatMap(({ name, skipped }) =>
    skipped === undefined ? [] : [`check ${name}: ${skipped}`],
  );
  return { passed: reports.length - failed - skips.length, failed, failures, skips, warnings: [] };
};

const vitest = async (): Promise<Tally> => {
  await untilBuilt();
  const unhandled = join(cache, 'vitest-unhandled.jsonl');
  rmSync(unhandled, { force: true });
  return run<VitestReport>(
    {
      name: 'vitest',
      module: 'vitest/vitest.mjs',
      args: [
        'run',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${join(cache, 'vitest.json')}`,
      ],
      report: 'vitest.json',
      env: { PARLEY_UNHANDLED_ERRORS: unhandled },
    },
    (report) => withUnhandled(tallyVitest(report), readUnhandled(unhandled)),
  );
};

const browser = async (): Promise<Tally> => {
  const skip = (reason: string): Tally => ({
    passed: 0,
    failed: 0,
    failures: [],
    skips: [reason],
    warnings: [],
  });
  if (!existsSync(join(root, browserConfig)))
    return skip(`ALL BROWSER JOURNEYS: ${browserConfig} is not there`);
  const { ensureBrowser } = await import('@parley/testkit/browser');
  const found = await ensureBrowser();
  if ('missing' in found) return skip(`ALL BROWSER JOURNEYS: ${found.missing}`);
  await untilBuilt();
  return run<PlaywrightReport>(
    {
      name: 'playwright',
      module: '@playwright/test/cli.js',
      args: ['test', '-c', browserConfig, '--reporter=list,json'],
      report: 'playwright.json',
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(cache, 'playwright.json') },
    },
    tallyPlaywright,
  );
};

type Part = [title: string, part: () => Promise<Tally>];

/** The tests of vitest wait for databases and clocks while the checks compute, so those run at once. The journeys run alone: beside
 * vitest both cores were busy all the time, and single steps of both took six times as long, past their limits. */
const stages: Part[][] = [
  [
    ['checks', check],
    ['unit, sync and integration', vitest],
  ],
  [['browser', browser]],
];

const broken = (title: string, error: unknown): Tally => {
  const reason = error instanceof Error ? error.message : String(error);
  return { passed: 0, failed: 1, failures: [], skips: [], warnings: [`${title} did not run: ${reason}`] };
};

mkdirSync(cache, { recursive: true });
const runPart = async ([title, part]: Part): Promise<{ tally: Tally; line: string }> => {
  const began = performance.now();
  const tally = await part().catch((error: unknown) => broken(title, error));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return { tally, line: `${title.padEnd(28)} ${seconds.padStart(6)} s  ${lastLine([tally])}` };
};

const tallies: Tally[] = [];
const times: string[] = [];
for (const stage of stages) {
  console.log(`\n=== ${stage.map(([title]) => title).join('; ')}\n`);
  for (const { tally, line } of await Promise.all(stage.map(runPart))) {
    tallies.push(tally);
    times.push(line);
  }
}

console.log(`\n=== result\n\n${times.join('\n')}\n`);
for (const failure of tallies.flatMap((tally) => tally.failures)) console.log(`FAILED: ${failure}`);
for (const warning of tallies.flatMap((tally) => tally.warnings)) console.log(`WARNING: ${warning}`);
for (const skip of tallies.flatMap((tally) => tally.skips)) console.log(`SKIPPED: ${skip}`);
// The names are printed once more, alone: the reasons may fill the end of the output.
if (namesOf(tallies).length > 1) console.log(`\n${namesOf(tallies).join('\n')}\n`);
console.log(lastLine(tallies));
process.exitCode = tallies.some((tally) => tally.failed > 0) ? 1 : 0;

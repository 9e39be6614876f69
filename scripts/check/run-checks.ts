import { bundleBudget, clientBundle, kitBundle, ownInterfaceBundle } from './bundles.ts';
import { descriptions } from './descriptions.ts';
import { docPaths } from './doc-paths.ts';
import { errorTable } from './error-table.ts';
import { featureHomes } from './feature-homes.ts';
import { featureTimers } from './feature-timers.ts';
import { featureWiring } from './feature-wiring.ts';
import { importCycles } from './import-cycles.ts';
import { importDirections } from './import-directions.ts';
import { layers } from './layers.ts';
import { literals } from './literals.ts';
import { lockFile } from './lock-file.ts';
import { longStatements } from './long-statements.ts';
import { moduleStates } from './module-state.ts';
import { namedColumns } from './named-columns.ts';
import { nodeImport } from './node-import.ts';
import { oneConnection } from './one-connection.ts';
import type { Check, Outcome } from './outcome.ts';
import { ownColours } from './own-colours.ts';
import { partNames } from './part-names.ts';
import { publishing } from './publishing.ts';
import { recordCasts } from './record-casts.ts';
import { routeRules } from './route-rules.ts';
import { sizes } from './sizes.ts';
import { sqlInStores } from './sql-in-stores.ts';
import { status } from './status.ts';
import { storeWrites } from './store-writes.ts';
import { lint, types, unused } from './tools.ts';
import { words } from './words.ts';

const atOnce = 2;

const checks: Check[] = [
  types,
  lint,
  unused,
  importDirections,
  importCycles,
  sizes,
  featureHomes,
  featureWiring,
  status,
  errorTable,
  docPaths,
  descriptions,
  recordCasts,
  storeWrites,
  moduleStates,
  lockFile,
  namedColumns,
  sqlInStores,
  publishing,
  longStatements,
  oneConnection,
  routeRules,
  layers,
  partNames,
  featureTimers,
  words,
  literals,
  ownColours,
  bundleBudget('client bundle', clientBundle, 26),
  bundleBudget('kit bundle', kitBundle, 45),
  bundleBudget('provider and hooks', ownInterfaceBundle, 6),
  nodeImport,
];

export type CheckReport = Outcome & { name: string; milliseconds: number };

const runOne = async (check: Check, root: string): Promise<CheckReport> => {
  const start = performance.now();
  const outcome = await check
    .run(root)
    .catch(
      (error: unknown): Outcome => ({ problems: [error instanceof Error ? error.message : String(error)] }),
    );
  return { ...outcome, name: check.name, milliseconds: performance.now() - start };
};

const lineOf = ({ name, milliseconds, problems, note, skipped }: CheckReport): string => {
  const word = problems.length > 0 ? 'FAIL' : skipped === undefined ? 'ok' : 'skip';
  const seconds = `${(milliseconds / 1000).toFixed(1)} s`;
  return `${word.padEnd(4)}  ${name.padEnd(24)}${seconds.padStart(7)}  ${skipped ?? note ?? ''}`.trimEnd();
};

const detailsOf = ({ name, problems }: CheckReport): string =>
  `\n${name}: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}\n${problems
    .map((problem) => `  ${problem.replaceAll('\n', '\n  ')}`)
    .join('\n')}`;

/** Runs every check, says one line for each and then the details of those that failed. */
export const runChecks = async (root: string, say: (line: string) => void): Promise<CheckReport[]> => {
  const reports: CheckReport[] = [];
  const waiting = checks.values();
  const work = async (): Promise<void> => {
    for (const check of waiting) {
      const report = await runOne(check, root);
      reports.push(report);
      say(lineOf(report));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  for (const report of reports) if (report.problems.length > 0) say(detailsOf(report));
  return reports;
};

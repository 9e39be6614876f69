import { join } from 'node:path';
import { runChecks } from './check/run-checks.ts';

const reports = await runChecks(join(import.meta.dirname, '..'), console.log);
const failed = reports.filter((report) => report.problems.length > 0);
console.log(
  failed.length === 0 ? '\nall checks passed' : `\n${failed.length} of ${reports.length} checks failed`,
);
process.exitCode = failed.length === 0 ? 0 : 1;

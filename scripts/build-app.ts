/** Builds the web app where it is missing or older than its sources, and starts nothing. */
import { join } from 'node:path';
import { BuildFailed, buildWeb } from './start/web-build.ts';

try {
  await buildWeb(join(import.meta.dirname, '..'), console.log);
} catch (error) {
  console.error(error instanceof BuildFailed ? error.message : error);
  process.exitCode = 1;
}

/** Bundles the server where the bundle is missing or older than its sources, and starts nothing. */
import { join } from 'node:path';
import { buildServer } from './start/server-build.ts';

await buildServer(join(import.meta.dirname, '..'));

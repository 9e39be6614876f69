import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readEnvironment } from './start/environment.ts';
import { buildServer } from './start/server-build.ts';
import { linkOf, readWish, UsageError } from './token/token-link.ts';

const root = join(import.meta.dirname, '..');

const { ConfigError, createTokens, readConfig, systemClock }: typeof import('@parley/server') = await import(
  pathToFileURL(await buildServer(root)).href
);

try {
  const wish = readWish(process.argv.slice(2));
  const config = readConfig(readEnvironment(root, process.env));
  const tokens = await createTokens(config.apiSecret, systemClock);
  const token = await tokens.issue(wish.userId, wish.hours * 3600);
  console.log(linkOf(config, token, wish.name));
} catch (error) {
  const isExpected = error instanceof UsageError || error instanceof ConfigError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
}

import { join } from 'node:path';
import { ConfigError, createTokens, readConfig, systemClock } from '@parley/server';
import { readEnvironment } from './start/environment.ts';
import { linkOf, readWish, UsageError } from './token/token-link.ts';

const root = join(import.meta.dirname, '..');

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

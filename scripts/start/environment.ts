import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Record<string, string | undefined>;

/** The settings of the product: the environment over the `.env` file over the defaults of a first try. */
export const readEnvironment = (root: string, env: Environment): Environment => {
  const file = join(root, '.env');
  const given: Environment = { ...(existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}), ...env };
  // A demo signs in anyone, so production never gets one by default.
  return { PARLEY_DEMO: given.NODE_ENV === 'production' ? 'off' : 'on', ...given };
};

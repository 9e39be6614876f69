import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWhole } from '../lib/create-whole.ts';
import { toError } from '../lib/to-error.ts';
import { ConfigError } from './config-error.ts';

export type Keys = { apiKey: string; apiSecret: string; secretIsNew: boolean };

/** A file that a person has changed may hold anything. */
const parsed = (text: string): Record<string, unknown> => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

/** Another user than that of the first start, such as root, may own the file. */
const readKept = (file: string): Keys => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError([
      `${file} cannot be read: ${toError(error).message}. Give it to the user of this process`,
    ]);
  }
  const { apiKey, apiSecret } = parsed(text);
  if (typeof apiKey === 'string' && typeof apiSecret === 'string')
    return { apiKey, apiSecret, secretIsNew: false };
  throw new ConfigError([`${file} holds no key and secret: delete it and new ones are made`]);
};

/** False where another process that starts with the same folder was first. */
const createIn = (dataDir: string, file: string, text: string): boolean => {
  try {
    mkdirSync(dataDir, { recursive: true });
    return createWhole(file, text);
  } catch (error) {
    const reason = toError(error).message;
    throw new ConfigError([
      `PARLEY_DATA names ${dataDir}, which cannot be used as the data folder: ${reason}`,
    ]);
  }
};

/** The key and secret made at the first start and kept in the data folder, readable by the owner alone. */
export const keptKeys = (dataDir: string): Keys => {
  const file = join(dataDir, 'keys.json');
  if (existsSync(file)) return readKept(file);
  const keys = {
    apiKey: `pk_${randomBytes(9).toString('base64url')}`,
    apiSecret: randomBytes(32).toString('base64url'),
  };
  if (!createIn(dataDir, file, `${JSON.stringify(keys, null, 2)}\n`)) return readKept(file);
  return { ...keys, secretIsNew: true };
};

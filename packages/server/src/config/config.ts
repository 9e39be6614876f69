import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { BusConfig } from '../bus/nats-link.ts';
import { readBusConfig } from './bus.ts';
import { ConfigError } from './config-error.ts';
import { type DrainConfig, readDrainConfig } from './drain.ts';
import { type FilesConfig, readFilesConfig } from './files.ts';
import { type Keys, keptKeys } from './kept-keys.ts';
import { type LimitsConfig, readLimitsConfig } from './limits.ts';
import { suspiciousVariables, unknownVariables } from './names.ts';
import { type ObservingConfig, readObservingConfig } from './observing.ts';

export type MapTiles = { url: string; attribution?: string };

export type Config = {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | undefined;
  /** Standbys of the database that answer reads. */
  databaseReplicaUrls?: string[];
  /** How long a start waits for a database that does not answer. */
  databaseWaitSeconds: number;
  apiKey: string;
  apiSecret: string;
  /** True when the secret was made by this start: it is printed once. */
  secretIsNew: boolean;
  /** Undefined: servers on one database reach each other by its notifications. */
  bus?: BusConfig | undefined;
  drain: DrainConfig;
  demo: boolean;
  publicUrl: string | undefined;
  corsOrigins: string[];
  /** Where the app's maps get their pictures; undefined: they are drawn, and nobody is asked. */
  mapTiles: MapTiles | undefined;
  /** Where the product signs people in; the app's sign-in page leads there. */
  signInUrl: string | undefined;
  logLevel: string;
  /** Possible mistakes that do not stop the start. */
  warnings: string[];
  production: boolean;
} & FilesConfig &
  LimitsConfig &
  ObservingConfig;

type Environment = Record<string, string | undefined>;
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const createReader = (env: Environment) => {
  const problems: string[] = [];
  const text = (name: string): string | undefined => {
    const value = env[name]?.trim();
    return value === '' ? undefined : value;
  };
  return {
    problems,
    text,
    /** A whole number within bounds. */
    whole(name: string, fallback: number, [least, most]: [number, number]): number {
      const value = text(name);
      const given = Number(value ?? fallback);
      if (Number.isInteger(given) && given >= least && given <= most) return given;
      problems.push(`${name} must be a whole number from ${least} to ${most}, not "${value}"`);
      return fallback;
    },
    list: (name: string): string[] | undefined =>
      text(name)
        ?.split(',')
        .flatMap((part) => part.trim() || []),
    port(name: string, fallback: number): number {
      const value = text(name);
      if (value === undefined) return fallback;
      const port = Number(value);
      if (Number.isInteger(port) && port >= 0 && port <= 65535) return port;
      problems.push(`${name} must be a number from 0 to 65535, not "${value}"`);
      return fallback;
    },
    flag(name: string, fallback: boolean): boolean {
      const value = text(name)?.toLowerCase();
      if (value === undefined) return fallback;
      if (['on', 'true', '1', 'yes'].includes(value)) return true;
      if (['off', 'false', '0', 'no'].includes(value)) return false;
      problems.push(`${name} must be on or off, not "${value}"`);
      return fallback;
    },
    url(name: string, schemes: string[]): string | undefined {
      const value = text(name);
      if (value === undefined) return undefined;
      const scheme = URL.canParse(value) ? new URL(value).protocol : /^[a-z]+:/.exec(value)?.[0];
      if (scheme !== undefined && schemes.includes(scheme)) return value;
      problems.push(`${name} must be a URL that begins with ${schemes.join(' or ')}`);
      return undefined;
    },
    choice(name: string, options: string[], fallback: string): string {
      const value = text(name) ?? fallback;
      if (options.includes(value)) return value;
      problems.push(`${name} must be one of ${options.join(', ')}, not "${value}"`);
      return fallback;
    },
  };
};

/** Where maps have their tiles from; without a source they are drawn from outlines. */
const readTiles = ({ text, problems }: ReturnType<typeof createReader>): MapTiles | undefined => {
  const url = text('PARLEY_MAP_TILES');
  const attribution = text('PARLEY_MAP_ATTRIBUTION');
  if (url === undefined) {
    if (attribution !== undefined) problems.push('PARLEY_MAP_ATTRIBUTION needs PARLEY_MAP_TILES');
    return undefined;
  }
  const isPattern = ['{z}', '{x}', '{y}'].every((part) => url.includes(part));
  if (!isPattern || !/^https?:\/\/[^/\s"';,]+\/[^\s"';,]*$/.test(url))
    problems.push(
      'PARLEY_MAP_TILES must be a URL that begins with http: or https: and holds {z}, {x} and {y}',
    );
  return { url, ...(attribution === undefined ? {} : { attribution }) };
};

/** Reads origins as browsers send them: a trailing slash or a path would match nothing. */
const readOrigins = ({ list, problems }: ReturnType<typeof createReader>): string[] => {
  const origins = list('CORS_ORIGINS') ?? [];
  for (const origin of origins)
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin))
      problems.push(`CORS_ORIGINS: "${origin}" is no origin such as https://app.example.org, and not *`);
  return origins;
};

/** URLs of files begin with it and are known by their path: below a path of its own none would be found again. */
const readPublicUrl = ({ url, problems }: ReturnType<typeof createReader>): string | undefined => {
  const given = url('PUBLIC_URL', ['http:', 'https:']);
  if (given !== undefined && !/^\/?$/.test(given.replace(/^https?:\/\/[^/?#]+/, '')))
    problems.push(
      `PUBLIC_URL must be an origin without a path, such as https://chat.example.com, not "${given}"`,
    );
  return given;
};

/** Problems name the place in the list and not the value, which may hold a password. */
const readReplicas = ({ list, text, problems }: ReturnType<typeof createReader>): string[] => {
  const urls = list('DATABASE_REPLICA_URLS') ?? [];
  const isGood = (url: string) => /^postgres(ql)?:$/.test(URL.canParse(url) ? new URL(url).protocol : '');
  for (const [index, url] of urls.entries())
    if (!isGood(url))
      problems.push(
        `DATABASE_REPLICA_URLS: number ${index + 1} is no URL that begins with postgres: or postgresql:`,
      );
  if (urls.length > 0 && text('DATABASE_URL') === undefined)
    problems.push('DATABASE_REPLICA_URLS needs DATABASE_URL');
  return urls;
};

/** Where data goes in production: a secret that was not filled in must not lead to an empty database on the disk of a container. */
const blankPlaces = (env: Environment): string[] =>
  ['DATABASE_URL', 'STORAGE_URL', 'BUS_URL']
    .filter((name) => env[name]?.trim() === '')
    .map((name) => `${name} is set but empty: in production give it a value or leave it unset`);

const readKeys = (env: Environment, dataDir: string, problems: string[], production: boolean): Keys => {
  const apiKey = env.PARLEY_API_KEY?.trim();
  const apiSecret = env.PARLEY_API_SECRET?.trim();
  const blank = { PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret };
  const names = Object.entries(blank).flatMap(([name, value]) => (value === '' ? [name] : []));
  // Where another one is made up instead, every token of the right one would be refused and nobody would know why.
  for (const name of names) problems.push(`${name} is set but empty: give it a value or leave it unset`);
  if (names.length > 0) return { apiKey: '', apiSecret: '', secretIsNew: false };
  if (apiKey && apiSecret) {
    if (apiSecret.length < 32) problems.push('PARLEY_API_SECRET must have at least 32 characters');
    if (!/^[\w.-]{1,64}$/.test(apiKey)) problems.push('PARLEY_API_KEY must be 1 to 64 of A–Z a–z 0–9 _ . -');
    return { apiKey, apiSecret, secretIsNew: false };
  }
  if (apiKey || apiSecret) problems.push('PARLEY_API_KEY and PARLEY_API_SECRET must be given together');
  if (production)
    problems.push('PARLEY_API_SECRET is required in production (NODE_ENV=production), with PARLEY_API_KEY');
  if (problems.length > 0) return { apiKey: '', apiSecret: '', secretIsNew: false };
  return keptKeys(dataDir);
};

/** Reads and checks the environment; throws a ConfigError that names every mistake. */
export const readConfig = (env: Environment): Config => {
  const read = createReader(env);
  const production = env.NODE_ENV === 'production';
  const dataDir = resolve(read.text('PARLEY_DATA') ?? '.parley');
  const port = read.port('PORT', 8800);
  const config = {
    port,
    host: read.text('HOST') ?? '127.0.0.1',
    dataDir,
    databaseUrl: read.url('DATABASE_URL', ['postgres:', 'postgresql:']),
    databaseReplicaUrls: readReplicas(read),
    databaseWaitSeconds: read.whole('PARLEY_DATABASE_WAIT_SECONDS', 60, [0, 3600]),
    bus: readBusConfig(read),
    drain: readDrainConfig(read),
    demo: read.flag('PARLEY_DEMO', false),
    publicUrl: readPublicUrl(read),
    corsOrigins: readOrigins(read),
    mapTiles: readTiles(read),
    signInUrl: read.url('PARLEY_SIGN_IN_URL', ['http:', 'https:']),
    logLevel: read.choice('LOG_LEVEL', levels, 'info'),
    warnings: suspiciousVariables(env),
    production,
    ...readFilesConfig(read, dataDir),
    ...readLimitsConfig(read),
    ...readObservingConfig(read, port),
  };
  read.problems.push(...unknownVariables(env));
  // A start that was meant as production would run with generated keys, and with the demo.
  if (!production && /^prod/i.test(env.NODE_ENV ?? ''))
    read.problems.push(`NODE_ENV must be "production" for a production start, not "${env.NODE_ENV}"`);
  if (production && config.demo)
    read.problems.push('PARLEY_DEMO must be off in production: it signs in anyone');
  if (production) read.problems.push(...blankPlaces(env));
  const keys = readKeys(env, dataDir, read.problems, production);
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return { ...config, ...keys };
};

/** Values of a `.env` file, for the variables that the environment leaves unset. */
export const withEnvFile = (env: Environment, file: string): Environment => {
  if (!existsSync(file)) return env;
  const values: Environment = {};
  for (const line of readFileSync(file, 'utf8').split(/\r?\n/)) {
    const match = /^\s*([A-Z_]+)\s*=\s*(.*?)\s*$/.exec(line);
    if (match?.[1]) values[match[1]] = match[2]?.replace(/^(["'])(.*)\1$/, '$2');
  }
  return { ...values, ...env };
};

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig, withEnvFile } from './config.ts';
import { ConfigError } from './config-error.ts';
import { unknownVariables } from './names.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keys = { PARLEY_API_KEY: 'key', PARLEY_API_SECRET: 'x'.repeat(32) };
const read = (env: Record<string, string>) => readConfig({ PARLEY_DATA: join(folder, 'data'), ...env });
const problemsOf = (env: Record<string, string>): string[] => {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

/** Texts of a file, or of all below a folder. */
const sourcesIn = (path: string): string[] => {
  if (!statSync(path).isDirectory())
    return /\.(md|ts|tsx|mjs)$/.test(path) ? [readFileSync(path, 'utf8')] : [];
  return readdirSync(path)
    .filter((name) => !['node_modules', 'dist'].includes(name))
    .flatMap((name) => sourcesIn(join(path, name)));
};

test('the defaults of the table', () => {
  expect(read(keys)).toMatchObject({
    port: 8800,
    host: '127.0.0.1',
    databaseUrl: undefined,
    demo: false,
    rateLimits: true,
    trustProxy: [],
    socketsPerUser: 50,
    socketsPerAddress: 500,
    drain: { readyMs: 1000, reconnectMs: 3000 },
    publicUrl: undefined,
    corsOrigins: [],
    uploads: { userBytes: 5 * 2 ** 30, imageSeconds: 20 },
    logLevel: 'info',
    apiKey: 'key',
    secretIsNew: false,
  });
});

test.each<[string, Record<string, string>]>([
  ['PORT', { PORT: 'abc' }],
  ['PORT', { PORT: '70000' }],
  ['PORT', { PORT: '-1' }],
  ['PORT', { PORT: '80.5' }],
  ['NODE_ENV', { NODE_ENV: 'Production' }],
  ['NODE_ENV', { NODE_ENV: 'prod' }],
  ['PARLEY_PREVIEW_HOSTS', { PARLEY_PREVIEW_HOSTS: 'localhost' }],
  ['PARLEY_PREVIEW_HOSTS', { PARLEY_PREVIEW_HOSTS: 'http://10.0.0.7:80/' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/chat' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'https://example.com/?a' }],
  ['DATABASE_URL', { DATABASE_URL: 'mysql://x' }],
  ['DATABASE_URL', { DATABASE_URL: 'not a url' }],
  ['PARLEY_DEMO', { PARLEY_DEMO: 'perhaps' }],
  ['PARLEY_RATE_LIMITS', { PARLEY_RATE_LIMITS: '2' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'ftp://x' }],
  ['LOG_LEVEL', { LOG_LEVEL: 'loud' }],
  ['PARLEY_MAP_TILES', { PARLEY_MAP_TILES: 'https://tiles.test/{z}/{x}.png' }],
  ['PARLEY_MAP_TILES', { PARLEY_MAP_TILES: 'ftp://tiles.test/{z}/{x}/{y}.png' }],
  ['PARLEY_MAP_TILES', { PARLEY_MAP_TILES: 'https://tiles.test; script-src *//{z}/{x}/{y}' }],
  ['PARLEY_MAP_ATTRIBUTION', { PARLEY_MAP_ATTRIBUTION: 'Somebody' }],
  ['BUS_URL', { BUS_URL: 'redis://x' }],
  ['BUS_URL', { BUS_URL: 'nats://' }],
  ['BUS_URL', { BUS_URL: 'nats://one:4222,two words' }],
  ['BUS_CA_FILE', { BUS_URL: 'tls://one', BUS_CA_FILE: '/no/such/file' }],
  ['STORAGE_URL', { STORAGE_URL: 'ftp://x' }],
  ['STORAGE_URL', { STORAGE_URL: 's3://bucket' }],
  [
    'STORAGE_URL',
    { STORAGE_URL: 's3://bucket?endpoint=x', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
  ],
  ['PARLEY_UPLOAD_BYTES', { PARLEY_UPLOAD_BYTES: '100 MB' }],
  ['PARLEY_UPLOAD_FILES', { PARLEY_UPLOAD_FILES: '0' }],
  ['PARLEY_UPLOAD_BLOCKED', { PARLEY_UPLOAD_BLOCKED: '.exe,programs' }],
  ['TRUST_PROXY', { TRUST_PROXY: 'loopback, proxy.example' }],
  ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/0' }],
  ['PARLEY_SOCKETS_PER_USER', { PARLEY_SOCKETS_PER_USER: '0' }],
  ['PARLEY_SOCKETS_PER_ADDRESS', { PARLEY_SOCKETS_PER_ADDRESS: 'many' }],
  ['PARLEY_DRAIN_READY_MS', { PARLEY_DRAIN_READY_MS: '60001' }],
  ['PARLEY_DRAIN_RECONNECT_MS', { PARLEY_DRAIN_RECONNECT_MS: '3s' }],
  ['PARLEY_API_SECRET', { PARLEY_API_SECRET: 'short' }],
  ['PARLEY_API_KEY', { PARLEY_API_KEY: 'a b' }],
  ['PARLEY_DATABASE_WAIT_SECONDS', { PARLEY_DATABASE_WAIT_SECONDS: 'long' }],
  ['CORS_ORIGINS', { CORS_ORIGINS: 'https://a.example/' }],
  ['CORS_ORIGINS', { CORS_ORIGINS: 'a.example' }],
  ['PARLEY_SERVER_NAME', { PARLEY_SERVER_NAME: 'two words' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'a-key' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hush%zz' }],
  ['OTEL_EXPORTER_OTLP_HEADERS', { OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hush%0A' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://me:hush@collector:4318' }],
  ['OTEL_TRACES_SAMPLER_ARG', { OTEL_TRACES_SAMPLER_ARG: '2' }],
  ['PARLEY_DEMOO', { PARLEY_DEMOO: 'on' }],
  ['PARLEY_API_SECRET', { PARLEY_API_SECRET: '' }],
  ['PARLEY_DEMO', { NODE_ENV: 'production', PARLEY_DEMO: 'on' }],
  ['STORAGE_URL', { STORAGE_URL: 'file://data/files' }],
  ['STORAGE_URL', { STORAGE_URL: 'file:///%zz' }],
  ['BUS_URL', { BUS_URL: 'nats://ana:hush%zz@one' }],
  ['BUS_CA_FILE', { BUS_CA_FILE: import.meta.dirname, BUS_URL: 'nats://one' }],
  ['BUS_CA_FILE needs BUS_URL', { BUS_CA_FILE: import.meta.filename }],
  ['DATABASE_URL is set but empty', { NODE_ENV: 'production', DATABASE_URL: ' ' }],
  ['STORAGE_URL is set but empty', { NODE_ENV: 'production', STORAGE_URL: '' }],
])('a mistake in %s is named (%j)', (name, env) => {
  const problems = problemsOf({ ...keys, ...env });

  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
  expect(problems[0]).not.toContain('hush');
});

test('W4 traces are off without an endpoint; with one, the headers, the name and the part of the calls are read', () => {
  expect(read(keys).tracing).toBeUndefined();
  expect(read(keys).serverName).toMatch(/.:8800$/);

  const config = read({
    ...keys,
    PARLEY_SERVER_NAME: 'chat-1',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b, other=c',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
  });
  expect(config).toMatchObject({
    serverName: 'chat-1',
    tracing: {
      url: 'http://collector:4318/v1/traces',
      headers: { 'x-key': 'a b', other: 'c' },
      ratio: 0.25,
      service: 'parley',
    },
  });
});

test('all mistakes are reported at once', () => {
  const problems = problemsOf({ ...keys, PORT: 'x', LOG_LEVEL: 'loud', PARLEY_DEMO: 'perhaps' });

  expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual([
    'LOG_LEVEL',
    'PARLEY_DEMO',
    'PORT',
  ]);
});

test('production needs a secret of its own, and makes none', () => {
  expect(problemsOf({ NODE_ENV: 'production' })).toEqual([expect.stringContaining('PARLEY_API_SECRET')]);
  expect(existsSync(join(folder, 'data', 'keys.json'))).toBe(false);
});

test('key and secret are made once, kept, and readable by the owner alone', () => {
  const first = read({});
  const second = read({});

  expect(first.secretIsNew).toBe(true);
  expect(first.apiSecret.length).toBeGreaterThanOrEqual(32);
  expect(second).toMatchObject({ apiKey: first.apiKey, apiSecret: first.apiSecret, secretIsNew: false });
  expect(statSync(join(folder, 'data', 'keys.json')).mode & 0o077).toBe(0);
});

test('a broken key file is named, not replaced', () => {
  read({});
  writeFileSync(join(folder, 'data', 'keys.json'), '{}');

  expect(problemsOf({})).toEqual([expect.stringContaining('keys.json')]);
});

test.each([{ PARLEY_API_SECRET: '' }, { PARLEY_API_SECRET: ' ', PARLEY_API_KEY: '' }])(
  'an empty secret is refused, not replaced (%j)',
  (env) => {
    expect(problemsOf(env).at(-1)).toMatch(/PARLEY_API_SECRET is set but empty/);
    expect(existsSync(join(folder, 'data', 'keys.json'))).toBe(false);
  },
);

test('a variable with a slip in its name is refused where it is surely ours, and else warned of', () => {
  expect(problemsOf({ ...keys, PARLEY_SIGNIN_URL: 'https://x.example' })).toEqual([
    'PARLEY_SIGNIN_URL is not a variable of Parley: did you mean PARLEY_SIGN_IN_URL?',
  ]);
  expect(problemsOf({ ...keys, PARLEY_TEST_PG: 'x', PARLEY_PORT: 'tcp://10.0.0.1:80' })).toEqual([]);
  expect(read({ ...keys, DATABSE_URL: 'x' }).warnings).toEqual([expect.stringContaining('DATABASE_URL')]);
  expect(read({ ...keys, DATABSE_URL: 'x', DATABASE_URL: 'postgres://x' }).warnings).toEqual([]);
});

test('every variable that the repository names is known', () => {
  const root = join(import.meta.dirname, '..', '..', '..', '..');
  const texts = ['README.md', 'docs', 'packages', 'scripts', 'tests'].flatMap((part) =>
    sourcesIn(join(root, part)),
  );
  const names = new Set(texts.flatMap((text) => text.match(/\bPARLEY_[A-Z][A-Z_]*[A-Z]\b/g) ?? []));
  const slips = [
    'PARLEY_DEMOO',
    'PARLEY_SIGNIN_URL',
    'PARLEY_API_SECERT',
    'PARLEY_PORT',
    'PARLEY_SERVICE',
    'PARLEY_KNOWN',
  ];

  expect(names.size).toBeGreaterThan(20);
  expect(
    unknownVariables(Object.fromEntries([...names].map((name) => [name, 'x']))).filter(
      (line) => !slips.some((slip) => line.startsWith(slip)),
    ),
  ).toEqual([]);
});

test('blank values count as unset; words for on and off are taken', () => {
  expect(read({ ...keys, PORT: ' ', DATABASE_URL: '' })).toMatchObject({
    port: 8800,
    databaseUrl: undefined,
  });
  expect(read({ ...keys, PARLEY_DEMO: 'ON' }).demo).toBe(true);
  expect(read({ ...keys, PARLEY_RATE_LIMITS: 'off' }).rateLimits).toBe(false);
  expect(read({ ...keys, CORS_ORIGINS: ' https://a.example , https://b.example,' }).corsOrigins).toEqual([
    'https://a.example',
    'https://b.example',
  ]);
});

test('the .env file fills what the environment leaves unset', () => {
  const file = join(folder, '.env');
  writeFileSync(file, '# a comment\nPORT=9000\nHOST="0.0.0.0"\n LOG_LEVEL = \'warn\' \r\nnot a line\n');

  expect(withEnvFile({ PORT: '9100' }, file)).toEqual({ PORT: '9100', HOST: '0.0.0.0', LOG_LEVEL: 'warn' });
  expect(withEnvFile({ PORT: '9100' }, join(folder, 'none'))).toEqual({ PORT: '9100' });
});

test('the bus is read from BUS_URL, with several hosts, credentials and TLS', () => {
  const busOf = (BUS_URL = '') => read({ ...keys, BUS_URL }).bus;

  expect(busOf()).toBeUndefined();
  expect(busOf('nats://one:4222')).toMatchObject({ servers: ['one:4222'], tls: false, token: undefined });
  expect(busOf('tls://ana:p%40ss@one:4222,two:4223')).toMatchObject({
    ...{ servers: ['one:4222', 'two:4223'], tls: true, user: 'ana', pass: 'p@ss' },
  });
  expect(busOf('nats://secret@one')).toMatchObject({ servers: ['one'], token: 'secret', user: undefined });
});

test('where files are stored is read from STORAGE_URL', () => {
  const aws = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' };
  const storageOf = (STORAGE_URL: string) => read({ ...keys, ...aws, STORAGE_URL }).storage;

  expect(storageOf('file:///var/parley')).toEqual({ kind: 'disk', root: '/var/parley' });
  expect(storageOf('s3://bucket/a/b?region=eu-west-1&endpoint=http://127.0.0.1:9000/')).toEqual({
    ...{
      kind: 's3',
      bucket: 'bucket',
      prefix: 'a/b',
      region: 'eu-west-1',
      endpoint: 'http://127.0.0.1:9000',
    },
    ...{ accessKey: 'key', secretKey: 'secret' },
  });
});

test.each(['', '{"apiKey": "pk_', 'null', '{}'])(
  'W1 a file of keys that holds %j is named, and what to do about it',
  (text) => {
    mkdirSync(join(folder, 'data'));
    const file = join(folder, 'data', 'keys.json');
    writeFileSync(file, text);

    expect(problemsOf({})).toEqual([`${file} holds no key and secret: delete it and new ones are made`]);
  },
);

test.each(['', '/below'])('W1 a data folder that is a file (%j) is named, without a stack', (below) => {
  const file = join(folder, 'file');
  writeFileSync(file, '');

  expect(problemsOf({ PARLEY_DATA: `${file}${below}` })).toEqual([
    expect.stringContaining(`PARLEY_DATA names ${file}${below}, which cannot be used as the data folder: E`),
  ]);
});

test('DATABASE_REPLICA_URLS is a list of URLs beside DATABASE_URL; a problem never shows a password', () => {
  const urls = 'postgres://a:hush@one/db, postgresql://two/db';
  const own = { ...keys, DATABASE_URL: 'postgres://own/db' };
  expect(read({ ...own, DATABASE_REPLICA_URLS: urls })).toMatchObject({
    databaseReplicaUrls: ['postgres://a:hush@one/db', 'postgresql://two/db'],
  });
  expect(problemsOf({ ...keys, DATABASE_REPLICA_URLS: urls })).toEqual([
    'DATABASE_REPLICA_URLS needs DATABASE_URL',
  ]);
  expect(problemsOf({ ...own, DATABASE_REPLICA_URLS: 'postgres://one/db,mysql://a:hush@two/db' })).toEqual([
    'DATABASE_REPLICA_URLS: number 2 is no URL that begins with postgres: or postgresql:',
  ]);
});

test('W1 a file of keys that cannot be read is named, without a stack', () => {
  const file = join(folder, 'data', 'keys.json');
  mkdirSync(file, { recursive: true });

  expect(problemsOf({})).toEqual([expect.stringContaining(`${file} cannot be read`)]);
});

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClientOptions, createClient, type ParleyClient, type UserInput } from '@parley/client';
import { createAdminClient } from '@parley/client/admin';
import { limits } from '@parley/protocol';
import { type Config, type Overrides, startServer } from '@parley/server';
import { type Caller, createCaller } from './caller.ts';
import { createDatabaseWire, type DatabaseWire } from './database-wire.ts';
import { createTestDatabase } from './databases.ts';
import { createFaults, type Faults } from './faults.ts';
import { signToken } from './token.ts';

export type TestChatOptions = {
  config?: Partial<Config>;
  overrides?: Overrides;
  /** Users to make before the first test line. */
  users?: string[];
  /** Puts a proxy between the server and its database: `chat.wire` then loses answers or keeps them back. */
  wired?: boolean;
};

export type TestClient = { client: ParleyClient; faults: Faults };

/** The server shares its process with a test that may be busy for seconds: with the product's own limit calls failed that nobody repeats. */
const httpTimeout = 60_000;

const quietLog = { warn: () => undefined, error: () => undefined };

const testConfig = (databaseUrl: string, filesDir: string, given: Partial<Config>): Config => ({
  port: 0,
  host: '127.0.0.1',
  dataDir: '',
  databaseUrl,
  databaseWaitSeconds: 60,
  apiKey: 'test-key',
  apiSecret: randomBytes(32).toString('base64url'),
  secretIsNew: false,
  demo: false,
  rateLimits: false,
  trustProxy: [],
  socketsPerUser: 50,
  socketsPerAddress: 500,
  drain: { readyMs: 0, reconnectMs: 0 },
  publicUrl: undefined,
  corsOrigins: [],
  mapTiles: undefined,
  signInUrl: undefined,
  logLevel: 'silent',
  warnings: [],
  production: false,
  storage: { kind: 'disk', root: filesDir },
  uploads: {
    fileBytes: limits.uploadBytes,
    userBytes: 0,
    filesPerMessage: limits.attachmentsPerMessage,
    imagePixels: 50_000_000,
    imageSeconds: 60,
    blocked: ['application/x-msdownload', '.exe'],
    orphanHours: 24,
  },
  previewHosts: [],
  serverName: 'test',
  tracing: undefined,
  ...given,
});

/** The time of the server's own clock: a token of a later one is not valid yet where that clock stands still. */
const clockOf = ({ overrides }: TestChatOptions) => ({
  now: () => overrides?.clock?.now() ?? Date.now(),
  setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
});

const named = (id: string) => ({ id, name: id[0]?.toUpperCase() + id.slice(1) });

export type TestChat = Awaited<ReturnType<typeof createTestChat>>;

/** The real server in this process on a database of its own, with clients whose network you can break.
 * `await using chat = await createTestChat()` stops it all at the end of the block. */
export const createTestChat = async (options: TestChatOptions = {}) => {
  const database = await createTestDatabase();
  const filesDir = await mkdtemp(join(tmpdir(), 'parley-files-'));
  const wire = options.wired ? await createDatabaseWire(database.url) : undefined;
  const config = testConfig(wire?.url ?? database.url, filesDir, options.config ?? {});
  const server = await startServer(config, options.overrides);
  const baseUrl = `${server.url}/api`;
  const clock = clockOf(options);
  const { apiKey, apiSecret: secret } = config;
  const admin = createAdminClient({ apiKey, secret, baseUrl, httpTimeout, environment: { clock } });
  const clients: ParleyClient[] = [];

  const token = (userId: string): Promise<string> => admin.createToken(userId);

  /** A client that is not connected yet. */
  const createTestClient = (given: Partial<ClientOptions> = {}): TestClient => {
    const faults = createFaults();
    const client = createClient({
      apiKey,
      baseUrl,
      httpTimeout,
      log: quietLog,
      ...given,
      environment: { ...faults.environment, ...given.environment },
    });
    clients.push(client);
    return { client, faults };
  };

  const connect = async (user: string | UserInput, given: Partial<ClientOptions> = {}) => {
    const made = createTestClient(given);
    const input = typeof user === 'string' ? { id: user } : user;
    await made.client.connectUser(input, await token(input.id));
    return made;
  };

  const caller = (userId?: string): Promise<Caller> => {
    const ownToken = async () =>
      userId === undefined ? signToken(secret, { server: true, iat: clock.now() / 1000 }) : token(userId);
    return createCaller({ baseUrl, apiKey, token: ownToken });
  };

  const stop = async (): Promise<void> => {
    await Promise.all(clients.map((client) => client.disconnect().catch(() => undefined)));
    await server.stop();
    await wire?.stop();
    await database.drop();
    await rm(filesDir, { recursive: true, force: true });
  };

  if (options.users) await admin.users.upsert(options.users.map(named));

  return {
    url: server.url,
    baseUrl,
    apiKey,
    secret,
    databaseUrl: database.url,
    /** Where this chat keeps uploaded files, unless the configuration names another place. */
    filesDir,
    server,
    /** The connection to the database, to be broken; only of a chat that is `wired`. */
    wire: wire as DatabaseWire,
    admin,
    token,
    connect,
    createTestClient,
    /** Raw calls as a user, or with the server's secret; every good reply is held against its schema. */
    as: caller,
    stop,
    [Symbol.asyncDispose]: stop,
  };
};

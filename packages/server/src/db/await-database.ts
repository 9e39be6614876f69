import pg from 'pg';
import { codeOf } from '../lib/code-of.ts';

/** An error for the person who started the server: shown as text, without a stack. */
export class StartError extends Error {
  /** The same field as that of a ConfigError. */
  readonly problems: string[];
  constructor(message: string) {
    super(message);
    this.problems = [message];
  }
}

type Options = { seconds: number; log(line: string): void };

const longestPauseMs = 5000;
const leastVersion = 150_000;
/** The server answers and will not take us: waiting changes nothing. */
const final = /^(28\w{3}|3D000|42\w{3}|ERR_INVALID_URL)$/;

/** The address of the database, without the password. */
const placeOf = (url: string): string => {
  if (!URL.canParse(url)) return 'of DATABASE_URL';
  const { hostname, port, pathname } = new URL(url);
  return `at ${hostname || 'its socket'}:${port || '5432'}${pathname}`;
};

const reasonOf = (error: unknown): { code: string; text: string } => {
  const code = codeOf(error) ?? '';
  return { code, text: (error instanceof Error && error.message) || code };
};

/** Checks the number that PostgreSQL gives itself, such as 150004; an older one fails at a migration that it does not understand. */
export const checkVersion = (version: number): void => {
  if (version < leastVersion)
    throw new StartError(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}: Parley needs 15 or newer.`,
    );
};

const versionQuery = "select current_setting('server_version_num')::int as version";

const tryOnce = async (url: string): Promise<unknown> => {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ version: number }>(versionQuery);
    checkVersion(rows[0]?.version ?? leastVersion);
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await client?.end().catch(() => undefined);
  }
};

/** Errors of PostgreSQL during a migration (read-only, no privileges, no space) are not faults of the server. */
export const migrationRefused = (error: unknown, url: string | undefined): unknown => {
  const { code, text } = reasonOf(error);
  if (!/^[0-9A-Z]{5}$/.test(code)) return error;
  const place = url === undefined ? 'in the data folder' : placeOf(url);
  return new StartError(
    `The database ${place} could not be brought up to date: ${text} (${code}). Parley needs to write there and to create tables.`,
  );
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when the database answers. One that is still starting is waited for; the start then fails in words. */
export const awaitDatabase = async (url: string, { seconds, log }: Options): Promise<void> => {
  const end = performance.now() + seconds * 1000;
  for (let pauseMs = 500; ; pauseMs = Math.min(longestPauseMs, pauseMs * 2)) {
    const error = await tryOnce(url);
    if (error === undefined) return;
    if (error instanceof StartError) throw error;
    const { code, text } = reasonOf(error);
    if (final.test(code))
      throw new StartError(
        `The database ${placeOf(url)} refuses the connection: ${text}. Check DATABASE_URL.`,
      );
    if (performance.now() + pauseMs > end)
      throw new StartError(
        `The database ${placeOf(url)} did not answer within ${seconds} s: ${text}. Start it or check DATABASE_URL; unset, an embedded one is used.`,
      );
    log(`The database ${placeOf(url)} does not answer (${text}): the next try is in ${pauseMs / 1000} s`);
    await pause(pauseMs);
  }
};

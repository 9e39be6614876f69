import { timingSafeEqual } from 'node:crypto';
import { type ErrorName, ParleyError } from '@parley/protocol';
import { type Actor, anonymousId, type UserEntry } from './actor.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import { isRevoked } from './revocation.ts';
import type { Claims, Tokens } from './tokens.ts';

export type Credentials = {
  apiKey: string | undefined;
  token: string | undefined;
  authType: string | undefined;
  /** Where they come from; undefined for those that are not counted. */
  address?: (() => string) | undefined;
};

const sameText = (a: string, b: string): boolean => {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
};

/** Errors that count as a guess; an expired token does not. */
const wrong: ReadonlySet<string> = new Set<ErrorName>(['ApiKeyInvalid', 'AuthenticationFailed']);

const anonymousUser = (now: string): UserEntry => {
  const row = {
    id: anonymousId,
    name: null,
    image: null,
    role: 'anonymous',
    data: {},
    created_at: now,
    updated_at: now,
    last_active: null,
    banned: false,
    deactivated_at: null,
    deleted_at: null,
    revoke_tokens_issued_before: null,
    has_reminders: false,
  };
  return { row, user: { id: row.id, role: row.role, created_at: now, updated_at: now } };
};

const checkUser = (entry: UserEntry, claims: Claims, appRevokes: string | null): void => {
  const { row } = entry;
  if (row.deleted_at !== null) throw new ParleyError('AuthenticationFailed', 'The user was deleted');
  if (row.deactivated_at !== null) throw new ParleyError('AuthenticationFailed', 'The user is deactivated');
  if (isRevoked(claims.iat, row.revoke_tokens_issued_before) || isRevoked(claims.iat, appRevokes))
    throw new ParleyError('TokenRevoked');
};

const bare = (token: string): string => (token.startsWith('Bearer ') ? token.slice(7) : token);

/** The people as signing in needs them. */
type People = {
  cache: { peek(id: string): UserEntry | undefined };
  /** The user of a good token; made when the token names a new one. */
  ensure(id: string): Promise<UserEntry>;
};

/** The app as signing in needs it. */
type AppGate = {
  get(): Promise<{ suspended: boolean; revoke_tokens_issued_before: string | null }>;
  /** Refuses visitors of this kind where the app lets none in. */
  checkVisitor(kind: 'anonymous' | 'guest'): Promise<void>;
};

type Deps = {
  apiKey: string;
  tokens: Awaited<Tokens>;
  users: People;
  apps: AppGate;
  now(): string;
  /** Brings caches up to date that were not looked after; undefined where they are. */
  catchUp(): Promise<void> | undefined;
  /** Undefined where nothing is counted. */
  failedSignIns: FailedSignIns | undefined;
};
export type Authenticator = ReturnType<typeof createAuthenticator>;

export const createAuthenticator = ({ apiKey, tokens, users, apps, now, catchUp, failedSignIns }: Deps) => {
  const checkApp = async (): Promise<void> => {
    if ((await apps.get()).suspended) throw new ParleyError('AppSuspended');
  };

  const checkKey = (given: string | undefined): void => {
    if (given === undefined || !sameText(given, apiKey)) throw new ParleyError('ApiKeyInvalid');
  };

  const identify = async ({
    apiKey: key,
    token,
    authType,
  }: Credentials): Promise<Actor & { claims?: Claims }> => {
    checkKey(key);
    const late = catchUp();
    if (late) await late;
    if (authType !== undefined && authType !== 'jwt' && authType !== 'anonymous')
      throw new ParleyError('AuthenticationFailed', 'x-auth-type must be jwt or anonymous');
    const app = await apps.get();
    if (authType === 'anonymous') {
      await apps.checkVisitor('anonymous');
      return { kind: 'anonymous', user: anonymousUser(now()) };
    }
    if (token === undefined || token === '')
      throw new ParleyError('AuthenticationFailed', 'No token was sent');
    const claims = await tokens.verify(bare(token));
    if (claims.server) {
      if (isRevoked(claims.iat, app.revoke_tokens_issued_before)) throw new ParleyError('TokenRevoked');
      return { kind: 'server', user: undefined, claims };
    }
    if (app.suspended) throw new ParleyError('AppSuspended');
    const entry = users.cache.peek(claims.userId ?? '') ?? (await users.ensure(claims.userId ?? ''));
    checkUser(entry, claims, app.revoke_tokens_issued_before);
    if (entry.row.role === 'guest') await apps.checkVisitor('guest');
    return { kind: 'user', user: entry, claims };
  };

  /** Whether a check of these credentials could help a guesser: those that were good before, and visitors without a token, are no guess. */
  const isGuess = ({ apiKey: key, token, authType }: Credentials): boolean =>
    authType === 'anonymous'
      ? key === undefined || !sameText(key, apiKey)
      : token === undefined || !tokens.isKnown(bare(token));

  /** Runs a check of credentials and counts its failures by address; past the budget nothing is checked. */
  const counted = async <T>(credentials: Credentials, look: () => T | Promise<T>): Promise<T> => {
    const { address } = credentials;
    if (!failedSignIns || !address || !isGuess(credentials)) return look();
    failedSignIns.check(address());
    try {
      return await look();
    } catch (error) {
      if (error instanceof ParleyError && wrong.has(error.name)) failedSignIns.count(address());
      throw error;
    }
  };

  return {
    checkApp,
    /** Whether they were good before, so that to look at them again counts as no guess. */
    knows: (credentials: Credentials): boolean =>
      credentials.authType !== 'anonymous' && !isGuess(credentials),
    /** Checks calls that need a key and no token. */
    checkKey: (credentials: Credentials): Promise<void> =>
      counted({ ...credentials, authType: 'anonymous' }, () => checkKey(credentials.apiKey)),
    /** The caller. Refuses a request without a valid key and a valid token, with the protocol's error. */
    authenticate: (credentials: Credentials): Promise<Actor & { claims?: Claims }> =>
      counted(credentials, () => identify(credentials)),
  };
};

import { idPattern, idRule, ParleyError } from '@parley/protocol';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../lib/clock.ts';
import { createLru } from '../lib/lru.ts';
import { anonymousId } from './actor.ts';

/** The claims of a valid token. Times are seconds, as in the token. */
export type Claims = { userId?: string; server: boolean; iat?: number; exp?: number; nbf?: number };

const idShape = new RegExp(idPattern);
/** Longer tokens are checked each time: a few thousand of them would fill the memory. */
const longestKept = 4096;
const refused = (why: string) => new ParleyError('AuthenticationFailed', why);

const seconds = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

const readClaims = (payload: Record<string, unknown>): Claims => {
  const iat = seconds(payload.iat);
  const exp = seconds(payload.exp);
  const nbf = seconds(payload.nbf);
  const times = {
    ...(iat === undefined ? {} : { iat }),
    ...(exp === undefined ? {} : { exp }),
    ...(nbf === undefined ? {} : { nbf }),
  };
  if (payload.server === true) return { server: true, ...times };
  if (typeof payload.user_id !== 'string') throw refused('The token names no user: it has no user_id claim');
  if (!idShape.test(payload.user_id)) throw refused(`The token names no user: its user_id ${idRule}`);
  if (payload.user_id === anonymousId) throw refused('The token names the user of those without a token');
  return { server: false, userId: payload.user_id, ...times };
};

export type Tokens = ReturnType<typeof createTokens>;

export const createTokens = async (secret: string, clock: Clock) => {
  const encoded = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', encoded, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ]);
  const verified = createLru<Claims>(20_000);

  const verifySignature = async (token: string): Promise<Claims> => {
    try {
      if (decodeProtectedHeader(token).alg !== 'HS256') throw refused('The token must be signed with HS256');
      // Times are judged below, against our own clock and on every use, so a kept token cannot outlive them.
      const { payload } = await jwtVerify(token, key, {
        algorithms: ['HS256'],
        currentDate: new Date(0),
        clockTolerance: Number.MAX_SAFE_INTEGER,
      });
      return readClaims(payload);
    } catch (error) {
      if (error instanceof ParleyError) throw error;
      if (error instanceof errors.JOSEError || error instanceof TypeError)
        throw refused('The token is malformed or its signature is wrong');
      throw error;
    }
  };

  return {
    /** Whether it was found good before; its times may be over by now. */
    isKnown: (token: string): boolean => verified.get(token) !== undefined,
    /** The claims of a good token, or of one that ended within the grace; refuses all others with the error of the
     * protocol. */
    async verify(token: string, graceSeconds = 0): Promise<Claims> {
      const known = verified.get(token);
      const claims = known ?? (await verifySignature(token));
      const now = clock.now() / 1000;
      if (claims.exp !== undefined && claims.exp + graceSeconds <= now) throw new ParleyError('TokenExpired');
      const from = Math.max(claims.nbf ?? 0, claims.iat ?? 0);
      // Clocks of two machines differ a little; a token made "just now" elsewhere is good.
      if (from > now + 60) throw new ParleyError('TokenNotYetValid');
      if (!known && token.length <= longestKept) verified.set(token, claims);
      return claims;
    },
    async issue(userId: string, lifetimeSeconds?: number): Promise<string> {
      // The time has milliseconds: a token made right after a revocation must not count as made before it.
      const now = clock.now() / 1000;
      const jwt = new SignJWT({ user_id: userId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt(now);
      if (lifetimeSeconds !== undefined) jwt.setExpirationTime(now + lifetimeSeconds);
      return jwt.sign(key);
    },
  };
};

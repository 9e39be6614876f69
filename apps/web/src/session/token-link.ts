import type { SignInRefusal } from './refusal.ts';
import type { Session } from './session.ts';

/** The result of a link: the user to sign in as, or the reason why the link is of no use. */
export type TokenLink = { session: Session } | { refused: SignInRefusal };

const claimsOf = (token: string): Record<string, unknown> | undefined => {
  try {
    const [, body = ''] = token.split('.');
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
};

/** Whether the server will refuse a token for its age; only the server can say more. */
export const isExpired = (token: string, now: number): boolean => {
  const exp = claimsOf(token)?.exp;
  return typeof exp === 'number' && exp * 1000 <= now;
};

/** Reads `#token=…&name=…`; undefined where the fragment holds no token. */
export const readTokenLink = (fragment: string, now: number): TokenLink | undefined => {
  const given = new URLSearchParams(fragment.replace(/^#/, ''));
  const token = given.get('token');
  if (token === null) return undefined;
  const claims = claimsOf(token);
  if (typeof claims?.user_id !== 'string' || token.split('.').length !== 3) return { refused: 'incomplete' };
  if (isExpired(token, now)) return { refused: 'expired' };
  const name = given.get('name')?.trim();
  return { session: { kind: 'token', id: claims.user_id, token, ...(name && { name }) } };
};

/** Takes a token out of the address before anything else can read, keep or send it. */
export const takeTokenLink = (place: Location, past: History, now: () => number): TokenLink | undefined => {
  const link = readTokenLink(place.hash, now());
  if (link !== undefined) past.replaceState(past.state, '', place.pathname + place.search);
  return link;
};

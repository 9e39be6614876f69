import { type CallSpec, ParleyError } from '@parley/protocol';
import type { FastifyRequest } from 'fastify';
import type { Actor, UserEntry } from '../auth/actor.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import { fieldOf } from '../lib/objects.ts';

type LooseBody = {
  user_id?: string;
  user?: { id?: string };
  message?: { user_id?: string };
  data?: { created_by_id?: string };
};

export type FindUser = (id: string) => Promise<UserEntry | undefined>;

/** Everyone whom the body or query names as the one who acts. */
const namedActors = (body: LooseBody | undefined, query: { user_id?: string }): string[] =>
  [query.user_id, body?.user_id, body?.user?.id, body?.message?.user_id, body?.data?.created_by_id].filter(
    (id) => id !== undefined,
  );

/** The parts of a request that say who calls. */
export type Introduction = Pick<FastifyRequest, 'headers' | 'query' | 'address'>;

export const credentialsOf = (request: Introduction) => {
  const { headers } = request;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    apiKey: text(headers['x-api-key']) ?? text(fieldOf(request.query, 'api_key')),
    token: headers.authorization,
    authType: text(headers['x-auth-type']),
    address: () => request.address,
  };
};

/** The caller, checked against the side that the call is for. */
export const authorize = async (
  authenticator: Authenticator,
  request: Introduction,
  { side, refusal }: CallSpec,
): Promise<Actor> => {
  const credentials = credentialsOf(request);
  if (side === 'public') {
    await authenticator.checkKey(credentials);
    await authenticator.checkApp();
    return { kind: 'server', user: undefined };
  }
  const actor = await authenticator.authenticate(credentials);
  if (side === 'S' && actor.kind !== 'server')
    throw new ParleyError('NotAllowed', refusal ?? 'This call is server-side only (server-side)');
  if (side === 'C' && actor.kind === 'server')
    throw new ParleyError('NotAllowed', refusal ?? 'This call is client-side only (client-side)');
  return actor;
};

/** The actor, once it is known for whom a server acts; a client acts for itself alone. */
export const settleActor = async (
  findUser: FindUser,
  actor: Actor,
  body: unknown,
  query: { user_id?: string },
): Promise<Actor> => {
  const named = namedActors(body as LooseBody | undefined, query);
  if (actor.kind !== 'server') {
    if (named.some((id) => id !== actor.user.row.id))
      throw new ParleyError('NotAllowed', 'A client may not act for another user (act-as-user)');
    return actor;
  }
  const id = named[0];
  if (id === undefined) return actor;
  const user = await findUser(id);
  if (!user || user.row.deleted_at !== null)
    throw new ParleyError('InputInvalid', `No user ${id}`, [{ path: 'user_id', message: `no user ${id}` }]);
  return { kind: 'server', user };
};

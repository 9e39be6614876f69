import {
  type BodyOf,
  type CallKey,
  type CallSpec,
  callMethod,
  callPath,
  callSchemas,
  calls,
  type ParamsOf,
  ParleyError,
  type QueryOf,
  type ReplyOf,
} from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Users } from '../features/users/service.ts';
import type { Connection } from '../gateway/connection.ts';
import type { Hub } from '../gateway/hub.ts';

/** What a handler is given: the parsed request and who makes it. */
export type Call<K extends CallKey> = {
  actor: Actor;
  params: ParamsOf<K>;
  query: QueryOf<K>;
  body: BodyOf<K>;
  /** The caller's realtime connection, where the call names one. */
  watcher: Connection | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
};

/** JSON text that a service has made already; sent as it is. */
export class ReadyJson {
  readonly json: string;
  readonly status: number;
  constructor(json: string, status: number) {
    this.json = json;
    this.status = status;
  }
}

type Handler<K extends CallKey> = (call: Call<K>) => Promise<ReplyOf<K> | ReadyJson> | ReplyOf<K> | ReadyJson;

export type Routes = { add<K extends CallKey>(key: K, handler: Handler<K>): void };

type LooseBody = {
  user_id?: string;
  user?: { id?: string };
  message?: { user_id?: string };
  data?: { created_by_id?: string };
};

/** Everyone whom the body or query names as the one who acts. */
const namedActors = (body: LooseBody | undefined, query: { user_id?: string }): string[] =>
  [query.user_id, body?.user_id, body?.user?.id, body?.message?.user_id, body?.data?.created_by_id].filter(
    (id) => id !== undefined,
  );

type Deps = { app: FastifyInstance; authenticator: Authenticator; users: Users; hub: Hub };

export const credentialsOf = (request: FastifyRequest) => {
  const { headers } = request;
  const query = request.query as { api_key?: unknown };
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    apiKey: text(headers['x-api-key']) ?? text(query.api_key),
    token: headers.authorization,
    authType: text(headers['x-auth-type']),
  };
};

export const createRoutes = ({ app, authenticator, users, hub }: Deps): Routes => {
  /** The actor, once it is known for whom a server acts; a client acts for itself alone. */
  const settleActor = async (actor: Actor, named: string[]): Promise<Actor> => {
    if (actor.kind !== 'server') {
      if (named.some((id) => id !== actor.user.row.id))
        throw new ParleyError('NotAllowed', 'A client may not act for another user (act-as-user)');
      return actor;
    }
    const id = named[0];
    if (id === undefined) return actor;
    const user = await users.cache.get(id);
    if (!user || user.row.deleted_at !== null)
      throw new ParleyError('InputInvalid', `No user ${id}`, [{ path: 'user_id', message: `no user ${id}` }]);
    return { kind: 'server', user };
  };

  const authorize = async (request: FastifyRequest, spec: CallSpec): Promise<Actor> => {
    const credentials = credentialsOf(request);
    if (spec.side === 'public') {
      authenticator.checkKey(credentials.apiKey);
      return { kind: 'server', user: undefined };
    }
    const actor = await authenticator.authenticate(credentials);
    if (spec.side === 'S' && actor.kind !== 'server')
      throw new ParleyError('NotAllowed', 'This call is server-side only (server-side)');
    if (spec.side === 'C' && actor.kind === 'server')
      throw new ParleyError('NotAllowed', 'This call is client-side only (client-side)');
    return actor;
  };

  const add: Routes['add'] = (key, handler) => {
    const spec: CallSpec = calls[key];
    const { params, query, body } = callSchemas(key, spec);
    const status = spec.status ?? 200;
    app.route({
      method: callMethod(key),
      url: `/api${callPath(key).replace(/\{(\w+)\}/g, ':$1')}`,
      schema: { querystring: query, ...(params ? { params } : {}), ...(body ? { body } : {}) },
      config: { limit: spec.limit },
      onRequest: async (request) => {
        request.actor = await authorize(request, spec);
      },
      handler: async (request, reply) => {
        const queryValues = request.query as QueryOf<typeof key> & {
          connection_id?: string;
          user_id?: string;
        };
        const bodyValues = request.body as BodyOf<typeof key>;
        const first = request.actor as Actor;
        const actor =
          spec.side === 'public' || spec.side === 'S'
            ? first
            : await settleActor(first, namedActors(bodyValues as LooseBody | undefined, queryValues));
        const watcher = hub.find(queryValues.connection_id, actor);
        const result = await handler({
          actor,
          params: request.params as ParamsOf<typeof key>,
          query: queryValues,
          body: bodyValues,
          watcher,
          request,
          reply,
        });
        if (!(result instanceof ReadyJson))
          return reply.code(reply.statusCode === 200 ? status : reply.statusCode).send(result);
        return reply
          .code(result.status)
          .header('content-type', 'application/json; charset=utf-8')
          .send(result.json);
      },
    });
  };
  return { add };
};

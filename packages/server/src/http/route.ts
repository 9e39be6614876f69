import type { ServerResponse } from 'node:http';
import {
  type BodyOf,
  type CallKey,
  type CallSpec,
  callMethod,
  callPath,
  calls,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '@parley/protocol';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { Watcher } from '../hub/connection.ts';
import type { NamedConnections } from '../hub/named-connections.ts';
import { refuseBadText } from './body.ts';
import { authorize, type FindUser, settleActor } from './caller.ts';
import type { DirectCalls } from './direct-calls.ts';
import { ReadyJson } from './ready-json.ts';
import { requestSchemas } from './validators.ts';

/** The input of a handler: the parsed request and its caller. */
export type Call<K extends CallKey> = {
  actor: Actor;
  params: ParamsOf<K>;
  query: QueryOf<K>;
  body: BodyOf<K>;
  /** The caller's realtime connection, where the call names one. */
  watcher: Watcher | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Handler<K extends CallKey> = (call: Call<K>) => Promise<ReplyOf<K> | ReadyJson> | ReplyOf<K> | ReadyJson;

/** A handler that needs no more than who calls and what was sent. */
type PlainHandler<K extends CallKey> = (
  call: Pick<Call<K>, 'actor' | 'params' | 'body'>,
) => ReturnType<Handler<K>>;

export type Routes = {
  add<K extends CallKey>(key: K, handler: Handler<K>): void;
  /** The same for a busy call: plain ones are answered beside Fastify. */
  addDirect<K extends CallKey>(key: K, handler: PlainHandler<K>): void;
};

type Deps = {
  app: FastifyInstance;
  direct: DirectCalls;
  authenticator: Authenticator;
  findUser: FindUser;
  connections: NamedConnections;
};

const sendResult = (reply: FastifyReply, result: unknown): FastifyReply =>
  result instanceof ReadyJson
    ? reply.code(result.status).header('content-type', 'application/json; charset=utf-8').send(result.json)
    : reply.send(result);

/** A caller that closes the page right after a call wants it done; one that waited as long as the SDK does may have repeated it. */
const mostPatienceMs = 2500;

/** Looks at the response: the request counts as destroyed as soon as its body is read. */
const isGone = (response: ServerResponse, elapsedMs: number): boolean =>
  response.destroyed && !response.writableFinished && elapsedMs > mostPatienceMs;

export const createRoutes = ({ app, direct, authenticator, findUser, connections }: Deps): Routes => {
  const callOf = async <K extends CallKey>(
    spec: CallSpec,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Call<K>> => {
    refuseBadText(request.params);
    refuseBadText(request.query);
    const query = request.query as QueryOf<K> & { connection_id?: string; user_id?: string };
    const first = request.actor as Actor;
    const settled = spec.side === 'public' || spec.side === 'S';
    const who = settled ? first : await settleActor(findUser, first, request.body, query);
    const actor =
      request.method === 'GET' ? who : { ...who, isGone: () => isGone(reply.raw, reply.elapsedTime) };
    return {
      actor,
      params: request.params as ParamsOf<K>,
      query,
      body: request.body as BodyOf<K>,
      // A public call has no actor whose connection it could be: its handler looks for itself.
      watcher: spec.side === 'public' ? undefined : await connections.find(query.connection_id, actor),
      request,
      reply,
    };
  };

  const add: Routes['add'] = (key, handler) => {
    const spec: CallSpec = calls[key];
    app.route({
      method: callMethod(key),
      url: `/api${callPath(key).replace(/\{(\w+)\}/g, ':$1')}`,
      schema: requestSchemas(key),
      config: { limit: spec.limit, form: spec.form !== undefined, isPublic: spec.side === 'public' },
      onRequest: async (request) => {
        request.actor = await authorize(authenticator, request, spec);
      },
      handler: async (request, reply) => {
        const call = await callOf<typeof key>(spec, request, reply);
        reply.code(spec.status ?? 200);
        return sendResult(reply, await handler(call));
      },
    });
  };
  const addDirect: Routes['addDirect'] = (key, handler) => {
    add(key, handler);
    direct.add(key, {
      authenticator,
      findUser,
      isGone: (response, startedAt) => isGone(response, performance.now() - startedAt),
      handler: async ({ actor, params, body }) =>
        handler({ actor, params: params as ParamsOf<typeof key>, body: body as BodyOf<typeof key> }),
    });
  };
  return { add, addDirect };
};

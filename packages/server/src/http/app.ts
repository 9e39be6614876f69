import { randomUUID } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import {
  type CallKey,
  callPath,
  calls,
  invalid,
  type LimitGroup,
  limits,
  ParleyError,
} from '@parley/protocol';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { Config } from '../config/config.ts';
import { createAddressOf } from '../lib/proxies.ts';
import { parseJsonBody } from './body.ts';
import { addCompression } from './compression.ts';
import { addCors } from './cors.ts';
import { errorBody, toParleyError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { measureRoutes } from './route-latency.ts';
import { bodyLimits, limitSlowBodies } from './slow-bodies.ts';
import { compileLate } from './validators.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | undefined;
    /** Where the call comes from, as far as limits count by it. */
    readonly address: string;
  }
  interface FastifyContextConfig {
    limit?: LimitGroup;
    /** Made without a token: counted by address. */
    isPublic?: boolean;
    /** Takes multipart/form-data, which its handler reads as a stream. */
    form?: boolean;
  }
}

/** Calls a user may make in a minute, per budget; a server with the secret is not limited. */
const budgets: Record<LimitGroup, number> = { message: 300, write: 300, read: 600, event: 900, auth: 60 };

/** The same for calls that name nobody, per address, behind which many may be. */
const publicBudgets: Record<LimitGroup, number> = { ...budgets, event: 3600 };

const slowMs = 1000;
const ownId = /^[\w.:-]{1,128}$/;

const requestId = (headers: Record<string, string | string[] | undefined>): string => {
  const given = headers['x-client-request-id'];
  return typeof given === 'string' && ownId.test(given) ? given : randomUUID();
};

const logOptions = (config: Config) => ({
  level: config.logLevel,
  // URLs are logged without their query: it may hold a key.
  serializers: {
    req: (request: FastifyRequest) => ({ method: request.method, path: request.url.split('?')[0] }),
  },
  redact: [
    'req.headers',
    'headers',
    'token',
    'authorization',
    'secret',
    '*.token',
    '*.authorization',
    '*.secret',
  ],
});

/** With what the paths of calls begin, below /api. */
const callParts = new Set((Object.keys(calls) as CallKey[]).map((key) => callPath(key).split('/')[1]));

const addErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const known = toParleyError(error);
    if (!known || known.name === 'Unavailable')
      request.log.error(
        { err: error, method: request.method, route: request.routeOptions.url, request_id: request.id },
        'request failed',
      );
    const shown = known ?? new ParleyError('Internal');
    if (shown.name === 'RateLimited' && !reply.hasHeader('retry-after')) reply.header('retry-after', '5');
    return reply.code(shown.status).send(errorBody(shown, request.id));
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '';
    const call = `${request.method} ${path}`;
    const hint = callParts.has(path.split('/')[1] ?? '')
      ? `. The API is below /api (${request.method} /api${path}): the baseUrl of a client ends with /api`
      : '';
    const error = new ParleyError('NotFound', `No such call: ${call}${hint}`);
    return reply.code(404).send(errorBody(error, request.id));
  });
};

const addRateLimits = async (app: FastifyInstance): Promise<void> => {
  await app.register(rateLimit, {
    global: true,
    // After the route's own hook, which says who calls, and before the body is read: what is refused costs nothing more.
    hook: 'onRequest',
    enableDraftSpec: true,
    timeWindow: 60_000,
    cache: 50_000,
    max: (request) => {
      const { limit = 'read', isPublic } = request.routeOptions.config;
      return isPublic ? publicBudgets[limit] : budgets[limit];
    },
    keyGenerator: (request) =>
      `${request.actor?.kind === 'user' ? request.actor.user.row.id : request.address} ${request.routeOptions.config.limit}`,
    allowList: (request) =>
      request.routeOptions.config.limit === undefined ||
      (!request.routeOptions.config.isPublic && request.actor?.kind === 'server'),
    errorResponseBuilder: (_request, context) =>
      new ParleyError('RateLimited', `Too many requests: wait ${Math.ceil(context.ttl / 1000)} s`),
  });
};

/** Errors before there is a route, such as a path that is no text, do not reach the error handler. */
const answerBadPath = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const known = toParleyError(error) ?? new ParleyError('InputInvalid', 'The path is not valid');
  reply.code(known.status).header('x-request-id', request.id).send(errorBody(known, request.id));
};

const serverOptions = (config: Config) => ({
  frameworkErrors: answerBadPath,
  logger: logOptions(config),
  // Our own line per request is below: it names the route and never the query.
  // Each line of ours names its request: a logger of its own for each would only cost.
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: limits.bodyBytes,
  routerOptions: { maxParamLength: 256 },
  requestIdHeader: false as const,
  genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
    requestId(request.headers),
  forceCloseConnections: 'idle' as const,
  // Requests in progress when the server stops are answered, not refused.
  return503OnClosing: false,
  keepAliveTimeout: 72_000,
});

const addBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseJsonBody(bytes as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('multipart/form-data', (request, _stream, done) => {
    const isForm = request.routeOptions.config.form === true;
    done(isForm ? null : invalid('content-type', 'must be application/json'));
  });
  app.addHook('preValidation', (request, _reply, done) => {
    // A call without a body says nothing: the schema then names what is missing.
    if (request.method !== 'GET' && request.body === undefined) request.body = {};
    done();
  });
};

const addRequestLog = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const entry = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      request_id: request.id,
    };
    // A long-poll waits by design: each would leave a warning every 25 s.
    const isSlow = reply.elapsedTime > slowMs && !entry.route?.endsWith('/longpoll');
    if (reply.statusCode >= 500 || isSlow) request.log.warn(entry, 'slow or failed request');
    else request.log.debug(entry, 'request');
    done();
  });
};

/** Fastify with our parser, errors, ids and limits; routes come later. */
export const createHttp = async (config: Config, metrics: Metrics): Promise<FastifyInstance> => {
  const app = fastify(serverOptions(config)) as unknown as FastifyInstance;
  app.setValidatorCompiler(compileLate);
  app.decorateRequest('actor', undefined);
  const addressOf = createAddressOf(config.trustProxy);
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw);
    },
  });
  addBodies(app);
  const atOnce = config.rateLimits ? bodyLimits.atOnce : Number.POSITIVE_INFINITY;
  limitSlowBodies(app, { ...bodyLimits, atOnce });
  addRequestLog(app);
  measureRoutes(app, metrics);
  // Before the routes of the plugin below: theirs would keep the error handler that was there first.
  addErrors(app);
  await addCors(app, config);
  addCompression(app);
  if (config.rateLimits) await addRateLimits(app);
  return app;
};

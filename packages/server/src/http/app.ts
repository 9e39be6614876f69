import { callPath, calls, invalid, type LimitGroup, limits, ParleyError } from '@parley/protocol';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { CallBudgets } from '../cluster/call-budgets.ts';
import type { Config } from '../config/config.ts';
import { createAddressOf } from '../lib/proxies.ts';
import { toError } from '../lib/to-error.ts';
import type { Tracer } from '../lib/tracing.ts';
import { parseJsonBody } from './body.ts';
import { addCompression, createCompress } from './compression.ts';
import { addCors, createCorsHeaders } from './cors.ts';
import { createDirectCalls, type DirectCalls, maxParamLength } from './direct-calls.ts';
import { errorBody, shownError, toParleyError } from './errors.ts';
import type { Metrics } from './metrics.ts';
import { addRateLimits } from './rate-limits.ts';
import { addRequestLog, requestId } from './request-log.ts';
import { measureRoutes } from './route-latency.ts';
import { bodyLimits, limitSlowBodies } from './slow-bodies.ts';
import { traceCalls } from './trace-calls.ts';
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

/** The first parts of the paths of calls, below /api. */
const callParts = new Set(Object.keys(calls).map((key) => callPath(key).split('/')[1]));

const addErrors = (app: FastifyInstance): void => {
  app.setErrorHandler((error, request, reply) => {
    const { method, id, routeOptions, log } = request;
    const shown = shownError(error, log, { method, route: routeOptions.url, request_id: id });
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

/** Errors before there is a route, such as a path that is no text, do not reach the error handler. */
const answerBadPath = (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
  const known = toParleyError(error) ?? new ParleyError('InputInvalid', 'The path is not valid');
  reply.code(known.status).header('x-request-id', request.id).send(errorBody(known, request.id));
};

const serverOptions = (config: Config): FastifyServerOptions => ({
  frameworkErrors: answerBadPath,
  logger: logOptions(config),
  // Our own line per request is below: it names the route and never the query.
  // Each line of ours names its request: a logger of its own for each would only cost.
  childLoggerFactory: (logger: FastifyBaseLogger) => logger,
  logController: new LogController({ disableRequestLogging: true }),
  bodyLimit: limits.bodyBytes,
  routerOptions: { maxParamLength },
  requestIdHeader: false,
  genReqId: (request: { headers: Record<string, string | string[] | undefined> }) =>
    requestId(request.headers),
  forceCloseConnections: 'idle',
  // Requests in progress when the server stops are answered, not refused.
  return503OnClosing: false,
  keepAliveTimeout: 72_000,
});

const addBodies = (app: FastifyInstance): void => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, bytes, done) => {
    try {
      done(null, parseJsonBody(bytes));
    } catch (error) {
      done(toError(error));
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

export type Http = {
  app: FastifyInstance;
  /** Answers the busiest calls beside Fastify. */
  direct: DirectCalls;
};

/** Fastify with our parser, errors, ids and limits; routes come later. */
export const createHttp = async (
  config: Config,
  { metrics, budgets, tracer }: { metrics: Metrics; budgets: CallBudgets; tracer: Tracer },
): Promise<Http> => {
  const app = fastify(serverOptions(config));
  app.setValidatorCompiler(compileLate);
  app.decorateRequest('actor', undefined);
  const addressOf = createAddressOf(config.trustProxy);
  app.decorateRequest('address', {
    getter(this: FastifyRequest) {
      return addressOf(this.raw);
    },
  });
  traceCalls(app, tracer);
  addBodies(app);
  const atOnce = config.rateLimits ? bodyLimits.atOnce : Number.POSITIVE_INFINITY;
  limitSlowBodies(app, { ...bodyLimits, atOnce });
  addRequestLog(app);
  const recorderOf = measureRoutes(app, metrics);
  // The handler comes before the routes of the plugin below: theirs would keep the one that was there first.
  addErrors(app);
  await addCors(app, config);
  const compress = createCompress();
  addCompression(app, compress);
  const takeBudget = config.rateLimits ? await addRateLimits(app, budgets) : undefined;
  const corsHeaders = createCorsHeaders(config);
  const direct = createDirectCalls(app, {
    ...{ addressOf, recorderOf, compress, takeBudget, corsHeaders, tracer },
  });
  return { app, direct };
};

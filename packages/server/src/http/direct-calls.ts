import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type CallKey, type CallSpec, callPath, calls, ParleyError } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import type { Actor } from '../auth/actor.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { AddressOf } from '../lib/proxies.ts';
import type { Span, Tracer } from '../lib/tracing.ts';
import { parseJsonBody } from './body.ts';
import { authorize, credentialsOf, type FindUser, settleActor } from './caller.ts';
import { type Compress, varyOn } from './compression.ts';
import { errorBody, shownError, validationError } from './errors.ts';
import type { TakeBudget } from './rate-limits.ts';
import { ReadyJson } from './ready-json.ts';
import { logAnswer, requestId } from './request-log.ts';
import type { RecordAnswer } from './route-latency.ts';
import { hasArrived } from './slow-bodies.ts';
import { endCall } from './trace-calls.ts';
import { requestSchemas, validatorOf } from './validators.ts';

/* Sends are most of the calls of a chat. The framework takes a tenth of the processor time of one at a low rate, so they are answered beside
 * it, by the same functions: who calls, budgets, body, schema, errors, compression, metrics. Whatever is not plain goes to
 * the framework, and so does every caller who is not let in. tests/integration/direct-calls.test.ts compares the two. */

type Parts = {
  addressOf: AddressOf;
  recorderOf(method: string, route: string): RecordAnswer;
  compress: Compress;
  /** Undefined where nothing is counted. */
  takeBudget: TakeBudget | undefined;
  tracer: Tracer;
  corsHeaders(headers: IncomingMessage['headers']): Record<string, string> | undefined;
};

/** A call as its handler gets it. The body and the parameters fit their schemas. */
export type DirectInput = { actor: Actor; params: Record<string, string>; body: unknown };

type DirectCall = {
  authenticator: Authenticator;
  findUser: FindUser;
  isGone(response: ServerResponse, startedAt: number): boolean;
  handler(input: DirectInput): Promise<unknown>;
};

export type DirectCalls = { add(key: CallKey, call: DirectCall): void };

type Taken = { params: Record<string, string>; request: IncomingMessage; response: ServerResponse };
type Headers = Record<string, string | number>;

const method = 'POST';

/** The longest parameter of a path, in characters; the framework knows no call with a longer one. */
export const maxParamLength = 256;

/** Matches the path of a call. Queries and escapes do not match, and neither do parameters that the framework finds too long. */
const patternOf = (key: CallKey): RegExp =>
  new RegExp(`^/api${callPath(key).replace(/\{(\w+)\}/g, `(?<$1>[\\w!-]{1,${maxParamLength}})`)}$`);

const isPlain = ({ headers }: IncomingMessage): boolean =>
  headers['content-type'] === 'application/json' &&
  Number(headers['content-length']) > 0 &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined;

const readBody = (request: IncomingMessage, headers: Headers): unknown => {
  const bytes: Buffer = request.read();
  // Lets the stream end.
  request.resume();
  try {
    return parseJsonBody(bytes);
  } catch (error) {
    // The framework closes the connection, too.
    headers.connection = 'close';
    throw error;
  }
};

class DirectRoute {
  #app: FastifyInstance;
  #parts: Parts;
  #key: CallKey;
  #call: DirectCall;
  #spec: CallSpec;
  #route: string;
  #record: RecordAnswer;

  constructor(app: FastifyInstance, parts: Parts, key: CallKey, call: DirectCall) {
    this.#app = app;
    this.#parts = parts;
    this.#key = key;
    this.#call = call;
    this.#spec = calls[key];
    this.#route = `/api${callPath(key).replace(/\{(\w+)\}/g, ':$1')}`;
    this.#record = parts.recorderOf(method, this.#route);
  }

  /** False where the framework has to answer. */
  async take(taken: Taken): Promise<boolean> {
    const { request } = taken;
    const { headers } = request;
    const cors = this.#parts.corsHeaders(headers);
    const { addressOf } = this.#parts;
    const caller = {
      headers,
      query: {},
      get address() {
        return addressOf(request);
      },
    };
    if (cors === undefined || !this.#call.authenticator.knows(credentialsOf(caller))) return false;
    const actor = await authorize(this.#call.authenticator, caller, this.#spec).catch(() => undefined);
    if (actor?.kind !== 'user' || !hasArrived(request)) return false;
    const own = { 'x-request-id': requestId(headers), ...cors };
    const span = this.#parts.tracer.begin(headers.traceparent);
    taken.response.once('finish', () => this.#endSpan(span, taken.response));
    span.inside(() => void this.#answer(taken, actor, own));
    return true;
  }

  async #answer(taken: Taken, actor: Actor, headers: Headers): Promise<void> {
    const startedAt = performance.now();
    const { request, response } = taken;
    response.once('finish', () => this.#note(response, headers, performance.now() - startedAt));
    try {
      const budget = await this.#takeBudget(request, actor);
      Object.assign(headers, budget?.headers);
      if (budget?.refusal) throw budget.refusal;
      const result = await this.#run(taken, actor, readBody(request, headers), startedAt);
      const isReady = result instanceof ReadyJson;
      const status = isReady ? result.status : (this.#spec.status ?? 200);
      this.#send(taken, { status, headers, json: isReady ? result.json : JSON.stringify(result) });
    } catch (error) {
      const id = String(headers['x-request-id']);
      const shown = shownError(error, this.#app.log, { method, route: this.#route, request_id: id });
      if (shown.name === 'RateLimited') headers['retry-after'] ??= '5';
      this.#send(taken, { status: shown.status, headers, json: JSON.stringify(errorBody(shown, id)) });
    }
  }

  #endSpan(span: Span, { statusCode: status }: ServerResponse): void {
    endCall(span, { method, route: this.#route, status });
  }

  #takeBudget(request: IncomingMessage, actor: Actor) {
    const address = this.#parts.addressOf(request);
    const config = { limit: this.#spec.limit, url: this.#route, method };
    return this.#parts.takeBudget?.({ actor, address, routeOptions: { config } });
  }

  async #run({ params, response }: Taken, actor: Actor, body: unknown, startedAt: number): Promise<unknown> {
    const { findUser, isGone, handler } = this.#call;
    const schemas = requestSchemas(this.#key);
    for (const [where, schema, input] of [
      ['params', schemas.params, params],
      ['body', schemas.body, body],
    ] as const) {
      if (schema === undefined) continue;
      const validator = validatorOf(schema);
      if (validator(input) !== true) throw validationError(validator.errors ?? [], where);
    }
    const settled = await settleActor(findUser, actor, body, {});
    return handler({ actor: { ...settled, isGone: () => isGone(response, startedAt) }, params, body });
  }

  #send({ request, response }: Taken, answer: { status: number; headers: Headers; json: string }): void {
    const { status, headers, json } = answer;
    this.#parts.compress(json, request.headers['accept-encoding'], ({ body, encoding, varies }) => {
      headers['content-type'] = 'application/json; charset=utf-8';
      if (varies) headers.vary = varyOn(headers.vary?.toString());
      if (encoding) headers['content-encoding'] = encoding;
      headers['content-length'] = Buffer.byteLength(body);
      response.writeHead(status, headers).end(body);
    });
  }

  #note({ statusCode: status }: ServerResponse, headers: Headers, ms: number): void {
    this.#record(status, ms);
    const id = String(headers['x-request-id']);
    logAnswer(this.#app.log, { method, route: this.#route, status, ms, request_id: id });
  }
}

/** Takes plain calls before the framework sees them. */
export const createDirectCalls = (app: FastifyInstance, parts: Parts): DirectCalls => {
  const routes: { pattern: RegExp; route: DirectRoute }[] = [];
  let isClosing = false;
  // The framework adds to its answers that the connection ends.
  app.addHook('preClose', (done) => {
    isClosing = true;
    done();
  });
  const framework = app.server.listeners('request');
  const pass: RequestListener = (request, response) => {
    for (const listener of framework) listener.call(app.server, request, response);
  };
  app.server.removeAllListeners('request').on('request', (request, response) => {
    if (request.method !== method || isClosing || !isPlain(request)) return pass(request, response);
    for (const { pattern, route } of routes) {
      const params = pattern.exec(request.url ?? '')?.groups;
      if (!params) continue;
      const taken = { params: { ...params }, request, response };
      const leave = () => pass(request, response);
      void route.take(taken).then((isTaken) => isTaken || leave(), leave);
      return;
    }
    pass(request, response);
  });
  return {
    add: (key, call) => {
      if (!key.startsWith(`${method} `))
        throw new ParleyError('Internal', `${key} cannot be called directly`);
      routes.push({ pattern: patternOf(key), route: new DirectRoute(app, parts, key, call) });
    },
  };
};

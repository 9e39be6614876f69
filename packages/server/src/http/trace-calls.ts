import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracer } from '../lib/tracing.ts';

type Answered = { method: string; route: string; status: number };

/** Ends the span of a call. A refusal is an answer; only a fault of the server is an error. */
export const endCall = (span: Span, { method, route, status }: Answered): void =>
  span.end({
    name: `${method} ${route}`,
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': status,
    },
    isError: status >= 500,
  });

/** Traces the calls of the API. Probes and files of the app would only fill the traces. */
export const traceCalls = (app: FastifyInstance, tracer: Tracer): void => {
  if (!tracer.isOn) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.url?.startsWith('/api/'))
      spans.set(request, tracer.begin(request.headers.traceparent));
    done();
  });
  // The call runs inside its span only now: the body is read by listeners, which do not know what they are a part of.
  app.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.inside(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions } = request;
    const span = spans.get(request);
    if (span) endCall(span, { method, route: routeOptions.url ?? '', status: reply.statusCode });
    done();
  });
};

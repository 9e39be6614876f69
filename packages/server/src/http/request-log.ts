import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';

const slowMs = 1000;
const ownId = /^[\w.:-]{1,128}$/;

export const requestId = (headers: IncomingHttpHeaders): string => {
  const given = headers['x-client-request-id'];
  return typeof given === 'string' && ownId.test(given) ? given : randomUUID();
};

type Answered = { method: string; route: string | undefined; status: number; ms: number; request_id: string };

/** One line for each answer; those of faults and of slow calls are warnings. */
export const logAnswer = (log: FastifyBaseLogger, answered: Answered): void => {
  // A long-poll waits by design: each would leave a warning every 25 s.
  const isSlow = answered.ms > slowMs && !answered.route?.endsWith('/longpoll');
  const entry = { ...answered, ms: Math.round(answered.ms) };
  // A server that is not ready says so several times a second.
  const isFault = answered.status >= 500 && answered.route !== '/readyz';
  if (isFault || isSlow) log.warn(entry, 'slow or failed request');
  else log.debug(entry, 'request');
};

export const addRequestLog = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logAnswer(request.log, {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      request_id: request.id,
    });
    done();
  });
};

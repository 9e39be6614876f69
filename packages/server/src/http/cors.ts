import cors from '@fastify/cors';
import { ParleyError } from '@parley/protocol';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';

const exposedHeaders = [
  'x-request-id',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
];
/** Origins of which the log has a line; more are not remembered. */
const mostLogged = 100;

/** Whether the page was served from here, perhaps through a proxy. */
const isOwn = (origin: string, request: FastifyRequest, publicOrigin: string | undefined): boolean => {
  const { host } = request.headers;
  return origin === `http://${host}` || origin === `https://${host}` || origin === publicOrigin;
};

/** Answers pages of other origins as the configuration says. To those that it does not name it says which variable is
 * missing: a browser shows the developer of such a page nothing but a failed request. */
export const addCors = async (
  app: FastifyInstance,
  { corsOrigins, demo, publicUrl }: Config,
): Promise<void> => {
  const isOpen = corsOrigins.includes('*') || (corsOrigins.length === 0 && demo);
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  const logged = new Set<string>();
  const warn = (origin: string, text: string): void => {
    if (logged.has(origin) || logged.size >= mostLogged) return;
    logged.add(origin);
    app.log.warn(text);
  };
  if (!isOpen)
    // Before the plugin, which answers preflights of strangers with nothing.
    app.addHook('onRequest', async (request) => {
      const { origin } = request.headers;
      if (origin === undefined || corsOrigins.includes(origin) || isOwn(origin, request, publicOrigin))
        return;
      const shown = origin.slice(0, 200);
      const text = `Pages of ${shown} may not call this server: name it in CORS_ORIGINS (CORS_ORIGINS=${shown}) and start again`;
      warn(shown, text);
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
        throw new ParleyError('NotAllowed', text);
    });
  await app.register(cors, {
    origin: isOpen ? true : corsOrigins.length > 0 && corsOrigins,
    exposedHeaders,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 86_400,
  });
};

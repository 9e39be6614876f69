import type { IncomingHttpHeaders } from 'node:http';
import cors from '@fastify/cors';
import { ParleyError } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
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
const isOwn = (origin: string, host: string | undefined, publicOrigin: string | undefined): boolean =>
  origin === `http://${host}` || origin === `https://${host}` || origin === publicOrigin;

const rulesOf = ({ corsOrigins, demo, publicUrl }: Config) => {
  const isOpen = corsOrigins.includes('*') || (corsOrigins.length === 0 && demo);
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  return {
    /** The origins as the plugin takes them: all, those listed, or none. */
    allowed: isOpen || (corsOrigins.length > 0 && corsOrigins),
    isStranger: ({ origin, host }: IncomingHttpHeaders): boolean =>
      !isOpen && origin !== undefined && !corsOrigins.includes(origin) && !isOwn(origin, host, publicOrigin),
  };
};

/** The headers that `addCors` gives the answer to a call, for answers beside the framework; undefined for pages that may not call. */
export const createCorsHeaders = (config: Config) => {
  const { allowed, isStranger } = rulesOf(config);
  const always = { vary: 'Origin', 'access-control-expose-headers': exposedHeaders.join(', ') };
  return (headers: IncomingHttpHeaders): Record<string, string> | undefined => {
    if (isStranger(headers)) return undefined;
    if (allowed === false) return {};
    const { origin } = headers;
    const isNamed = origin !== undefined && (allowed === true || allowed.includes(origin));
    return isNamed ? { ...always, 'access-control-allow-origin': origin } : always;
  };
};

/** Answers pages of other origins as the configuration says. To those that it does not name it says which variable is
 * missing: a browser shows the developer of such a page nothing but a failed request. */
export const addCors = async (app: FastifyInstance, config: Config): Promise<void> => {
  const { allowed, isStranger } = rulesOf(config);
  const logged = new Set<string>();
  const warn = (origin: string, text: string): void => {
    if (logged.has(origin) || logged.size >= mostLogged) return;
    logged.add(origin);
    app.log.warn(text);
  };
  if (allowed !== true)
    // This runs before the plugin, which answers preflights of strangers with nothing.
    app.addHook('onRequest', async (request) => {
      const { origin } = request.headers;
      if (origin === undefined || !isStranger(request.headers)) return;
      const shown = origin.slice(0, 200);
      const text = `Pages of ${shown} may not call this server: name it in CORS_ORIGINS (CORS_ORIGINS=${shown}) and start again`;
      warn(shown, text);
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined)
        throw new ParleyError('NotAllowed', text);
    });
  await app.register(cors, {
    origin: allowed,
    exposedHeaders,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    maxAge: 86_400,
  });
};

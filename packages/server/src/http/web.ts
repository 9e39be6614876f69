import { existsSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { MapTiles } from '../config/config.ts';

export type WebOptions = {
  /** The built app: index.html and its assets. */
  dir: string;
  apiKey: string;
  demo: boolean;
  mapTiles: MapTiles | undefined;
  signInUrl: string | undefined;
};

/** Where tiles come from, as a policy names it; of several hosts it names all. */
const hostOf = ({ url }: MapTiles): string => url.split('/').slice(0, 3).join('/').replace('{s}', '*');

const policyOf = ({ mapTiles }: WebOptions): string =>
  [
    "default-src 'self'",
    `img-src 'self' data: blob: https:${mapTiles ? ` ${hostOf(mapTiles)}` : ''}`,
    "media-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "connect-src 'self' ws: wss:",
    "object-src 'none'",
    "base-uri 'self'",
    "frame-ancestors 'self'",
  ].join('; ');

const securityHeadersOf = (options: WebOptions) => ({
  'content-security-policy': policyOf(options),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
});
type Headers = ReturnType<typeof securityHeadersOf>;

const year = 'public, max-age=31536000, immutable';

/** Paths that are no page of the app, whatever the caller accepts. */
const notPages = /^\/(api|files|metrics|healthz|readyz|assets)(\/|\?|$)/;

const wantsPage = (request: FastifyRequest): boolean =>
  !notPages.test(request.url) && (request.headers.accept ?? '').includes('text/html');

const missingPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Parley</title>
<style>:root { color-scheme: light dark } body { font: 1rem/1.5 system-ui, sans-serif; max-width: 34rem; margin: 20vh auto; padding: 0 1rem }</style>
</head><body><h1>The server is running</h1>
<p>The web app is not built yet. Stop the server and run <code>npm start</code>, which builds it, or build it alone with
<code>npm exec --workspace apps/web vite build</code>.</p>
<p><a href="/api/docs">API reference</a></p></body></html>
`;

/** The page with the settings of this server in its head, as data that no browser runs. */
const indexPage = (file: string, options: WebOptions): string => {
  const { apiKey, demo, mapTiles, signInUrl } = options;
  const config = JSON.stringify({ apiKey, demo, mapTiles, signInUrl }).replaceAll('<', '\\u003c');
  const script = `<script type="application/json" id="parley-config">${config}</script>`;
  // First in the head, for the scripts after it. As a function: in a replacement text `$` would have a meaning.
  return readFileSync(file, 'utf8').replace('<head>', () => `<head>${script}`);
};

const serveFiles = async (app: FastifyInstance, dir: string, headers: Headers): Promise<void> => {
  await app.register(fastifyStatic, {
    root: dir,
    wildcard: false,
    index: false,
    globIgnore: ['index.html', '**/*.map', '**/*.br', '**/*.gz'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.startsWith(join(dir, 'assets') + sep);
      reply.headers({ ...headers, 'cache-control': hashed ? year : 'no-cache' });
    },
  });
};

/** Serves the web app at `/`, and the settings of the page to its development server. */
export const serveWeb = async (app: FastifyInstance, options: WebOptions): Promise<void> => {
  const index = join(options.dir, 'index.html');
  const built = existsSync(index);
  const page = built ? indexPage(index, options) : missingPage;
  const headers = securityHeadersOf(options);
  if (built) await serveFiles(app, options.dir, headers);

  const sendPage = (_request: FastifyRequest, reply: FastifyReply) =>
    reply
      .headers({ ...headers, 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page);

  app.get('/', sendPage);
  app.get('/index.html', sendPage);
  app.get('/*', (request, reply) => {
    if (wantsPage(request)) return sendPage(request, reply);
    reply.callNotFound();
    return reply;
  });
  const { apiKey, demo, mapTiles, signInUrl } = options;
  app.get('/api/app-config', (_request, reply) =>
    reply
      .header('cache-control', 'no-store')
      .send({ api_key: apiKey, demo, map_tiles: mapTiles, sign_in_url: signInUrl }),
  );
};

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MapTiles } from '../config/config.ts';
import { serveWeb } from './web.ts';

const dir = mkdtempSync(join(tmpdir(), 'parley-web-'));
const html = { accept: 'text/html,*/*;q=0.8' };
let app: FastifyInstance;

const start = async (folder: string, mapTiles?: MapTiles): Promise<FastifyInstance> => {
  const made = fastify();
  made.setNotFoundHandler((_request, reply) => reply.code(404).send({ name: 'NotFound' }));
  made.get('/api/things', () => ({ things: [] }));
  await serveWeb(made, { dir: folder, apiKey: 'k</script>$&', demo: true, mapTiles, signInUrl: undefined });
  return made;
};

beforeAll(async () => {
  mkdirSync(join(dir, 'assets'));
  writeFileSync(join(dir, 'index.html'), '<html><head><title>App</title></head><body></body></html>');
  writeFileSync(join(dir, 'assets', 'app-1a2b.js'), 'console.log(1)');
  writeFileSync(join(dir, 'assets', 'app-1a2b.js.gz'), gzipSync('console.log(1)'));
  writeFileSync(join(dir, 'favicon.svg'), '<svg/>');
  app = await start(dir);
});

afterAll(async () => {
  await app.close();
  rmSync(dir, { recursive: true });
});

test.each(['/', '/index.html', '/channels/team:general', '/apiary'])(
  '%s is the app, with its settings',
  async (url) => {
    const reply = await app.inject({ url, headers: html });

    const config = /<head><script type="application\/json" id="parley-config">(.*?)<\/script>/.exec(
      reply.body,
    );
    expect(JSON.parse(config?.[1] ?? '')).toEqual({ apiKey: 'k</script>$&', demo: true });
    expect(reply.headers['cache-control']).toBe('no-cache');
    expect(reply.headers['content-security-policy']).toContain("object-src 'none'");
    expect(reply.headers['x-content-type-options']).toBe('nosniff');
  },
);

test('P5 the app gets the tile source, and pictures may come from there and from nowhere else by http', async () => {
  const url = 'http://{s}.tiles.test:8080/{z}/{x}/{y}.png';
  const mapped = await start(dir, { url, attribution: 'Tiles & Sons' });
  const policyOf = async (one: FastifyInstance) =>
    (await one.inject({ url: '/', headers: html })).headers['content-security-policy'];

  expect((await mapped.inject('/api/app-config')).json().map_tiles).toEqual({
    url,
    attribution: 'Tiles & Sons',
  });
  expect(await policyOf(mapped)).toContain("img-src 'self' data: blob: https: http://*.tiles.test:8080;");
  expect(await policyOf(app)).toContain("img-src 'self' data: blob: https:;");
  await mapped.close();
});

test('an asset with a hash in its name is kept for good, another file is asked for again', async () => {
  const asset = await app.inject('/assets/app-1a2b.js');
  const icon = await app.inject('/favicon.svg');

  expect(asset.body).toBe('console.log(1)');
  expect(asset.headers['cache-control']).toContain('immutable');
  expect(asset.headers['content-type']).toContain('javascript');
  expect(icon.headers['cache-control']).toBe('no-cache');
  expect(icon.headers['content-security-policy']).toBeDefined();
});

test('a compressed twin is sent to whoever can read it', async () => {
  const reply = await app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': 'gzip' } });

  expect(reply.headers['content-encoding']).toBe('gzip');
  expect(reply.headers['cache-control']).toContain('immutable');
  expect(reply.headers['content-type']).toContain('javascript');
});

test.each([
  ['/api/nothing', html],
  ['/files/nothing', html],
  ['/metrics', html],
  ['/healthz', html],
  ['/assets/gone.js', html],
  ['/anything', { accept: 'application/json' }],
  ['/../package.json', { accept: '*/*' }],
  ['/%2e%2e/package.json', { accept: '*/*' }],
])('%s is not the app: the JSON error', async (url, headers) => {
  const reply = await app.inject({ url, headers });

  expect(reply.statusCode).toBe(404);
  expect(reply.json()).toEqual({ name: 'NotFound' });
});

test('the calls of the server go before the app, and the settings can be asked for', async () => {
  const things = await app.inject('/api/things');
  const config = await app.inject('/api/app-config');

  expect(things.json()).toEqual({ things: [] });
  expect(config.json()).toEqual({ api_key: 'k</script>$&', demo: true });
});

test('without a built app the page says how to build it', async () => {
  const bare = await start(join(dir, 'nowhere'));

  const reply = await bare.inject({ url: '/', headers: html });

  expect(reply.body).toContain('npm start');
  await bare.close();
});

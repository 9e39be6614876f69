import { calls, errorTable, eventSchemas, openApiDocument } from '@parley/protocol';
import fastify from 'fastify';
import { expect, test } from 'vitest';
import { docsPage, docsRoutes } from './docs.ts';

const document = openApiDocument({ serverUrl: '/api', version: '1.2.3' });
const page = docsPage(document);

test('the page shows every call, event and error', () => {
  const paths = Object.keys(calls).map((key) => key.slice(key.indexOf(' ') + 1));

  expect(paths.filter((path) => !page.includes(`>${path}</a></h3>`))).toEqual([]);
  expect(Object.keys(eventSchemas).filter((type) => !page.includes(`<code>${type}</code>`))).toEqual([]);
  expect(Object.keys(errorTable).filter((name) => !page.includes(`<code>${name}</code>`))).toEqual([]);
});

test('every link inside the page has its target, and each target is there once', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((match) => match[1]);
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map((match) => match[1]);

  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
});

test('it needs nothing from outside and runs nothing', () => {
  expect(page).not.toMatch(/<script|<img|<link|\ssrc=|\son\w+=|@import|url\(/i);
  expect([...page.matchAll(/href="([^#"][^"]*)"/g)].map((match) => match[1])).toEqual(['openapi.json']);
});

test('whatever stands in the document is escaped', () => {
  const evil = structuredClone(document);
  const send = evil.paths['/channels/{type}/{id}/message']?.post;
  if (send) send.summary = '<script>alert("`<b>`")</script>';

  expect(docsPage(evil)).toContain('&lt;script&gt;alert(&quot;<code>&lt;b&gt;</code>&quot;)');
});

test('the address is that of the server, or stands for one where only its path is known', () => {
  const known = docsPage(openApiDocument({ serverUrl: 'https://chat.example/api', version: '1' }));

  expect(known).toContain('wss://chat.example/api/connect');
  expect(page).toContain('wss://HOST/api/connect');
});

test('a body shows the fields of its named shapes, with their limits', () => {
  const from = page.indexOf('id="call-postChannelsTypeIdMessage"');
  const section = page.slice(from, page.indexOf('</article>', from));

  expect(section).toContain('<code>message.text</code>');
  expect(section).toContain('at most 20\u202f000 characters');
});

test('both are served with a strict policy, and not sent twice to whoever has them', async () => {
  const app = fastify();
  docsRoutes(app, () => document);

  const first = await app.inject('/api/docs');
  const again = await app.inject({
    url: '/api/docs',
    headers: { 'if-none-match': String(first.headers.etag) },
  });
  const raw = await app.inject('/api/openapi.json');

  expect(first.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'unsafe-inline'/);
  expect(first.headers['x-content-type-options']).toBe('nosniff');
  expect(again.statusCode).toBe(304);
  expect(raw.json()).toEqual(document);
  await app.close();
});

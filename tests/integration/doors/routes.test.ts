import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type CallKey, callMethod, callPath, calls, eventSchemas } from '@parley/protocol';
import type { ParleyServer } from '@parley/server';
import { createTestChat, type TestChat } from '@parley/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTable } from './table.ts';

const routes = new Set<string>();
/** Notes every route of a server as it is added; `HEAD` and `OPTIONS` come with the others. */
const note = (message: unknown): void => {
  const { fastify } = message as { fastify: ParleyServer['app'] };
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) if (one !== 'HEAD' && one !== 'OPTIONS') routes.add(`${one} ${url}`);
  });
};

let chat: TestChat;
beforeAll(async () => {
  subscribe('fastify.initialization', note);
  // The server runs without the built app: its files are no calls, and only a machine that built it has them.
  chat = await createTestChat({ overrides: { webDir: '/no-such-folder' } });
});
afterAll(async () => {
  unsubscribe('fastify.initialization', note);
  await chat.stop();
});

const namesIn = (table: string): string[] =>
  readTable(table).map((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? line);
const routeOf = (key: CallKey): string =>
  `${callMethod(key)} /api${callPath(key).replace(/\{(\w+)\}/g, ':$1')}`;

test('G2 every route of the server is a call of the protocol or has a line in the table of routes', () => {
  const known = [...(Object.keys(calls) as CallKey[]).map(routeOf), ...namesIn('routes')];

  expect([...routes].filter((route) => !known.includes(route))).toEqual([]);
  expect([...routes]).toEqual(expect.arrayContaining(namesIn('routes')));
  expect(routes.size).toBeGreaterThan(100);
});

test('G2 every call and every event of the protocol has a line in its table, and no line is left over', () => {
  expect([...new Set(namesIn('calls'))].sort()).toEqual(Object.keys(calls).sort());
  expect([...new Set(namesIn('events'))].sort()).toEqual(Object.keys(eventSchemas).sort());
});

test('G2 a route outside the protocol answers a stranger as its line says', async () => {
  for (const line of readTable('routes')) {
    const [, route = '', , status = ''] = line.split('|').map((cell) => cell.trim());
    const [method = '', path = ''] = route.replaceAll('`', '').split(' ');
    const answer = await fetch(`${chat.url}${path.replaceAll(/:\w+/g, 'none')}`, { method });
    expect(`${route} ${answer.status}`).toBe(`${route} ${status}`);
  }
});

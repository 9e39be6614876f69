import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

/** A fresh page whose server answers like this. */
const openPage = async (answer: () => Response | Promise<Response>) => {
  vi.resetModules();
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => answer()),
  );
  return import('./load-chunk.ts');
};

const run = async () => 'part';
const needs = ['assets/part.js'];

test.each([
  ['missing', () => new Response('', { status: 404 })],
  ['answered with the page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
])('W2 a chunk that is %s shows that the app is outdated, and is not imported', async (_, answer) => {
  const { __vitePreload, outdated } = await openPage(answer);
  const listener = vi.fn();
  outdated.subscribe(listener);

  await expect(__vitePreload(run, needs)).rejects.toThrow('part.js');
  expect([outdated.get(), listener.mock.calls.length]).toEqual([true, 1]);
});

test('W2 a chunk that a bad network loses is fetched again at the next call, and does not ask for a reload', async () => {
  const answers = [
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => new Response('', { status: 503 }),
  ];
  const { __vitePreload, outdated } = await openPage(() => answers.shift()?.() ?? new Response('code'));

  await expect(__vitePreload(run, needs)).rejects.toThrow('Failed to fetch');
  await expect(__vitePreload(run, needs)).rejects.toThrow('503');
  expect(await __vitePreload(run, needs)).toBe('part');
  expect(outdated.get()).toBe(false);
});

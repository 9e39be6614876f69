import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** A fresh page whose server answers like this. */
const openPage = async (answer: (signal?: AbortSignal | null) => Response | Promise<Response>) => {
  vi.resetModules();
  vi.stubGlobal('document', { querySelectorAll: () => [] });
  vi.stubGlobal(
    'fetch',
    vi.fn(async (_url: string, init?: RequestInit) => answer(init?.signal)),
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

/** An answer that comes in two parts; never, where there is no signal to end it. */
const slowly = (pauseMs: number) => (signal?: AbortSignal | null) => {
  const body = new ReadableStream<Uint8Array>({
    start: (out) => {
      signal?.addEventListener('abort', () => out.error(signal.reason));
      setTimeout(() => out.enqueue(new Uint8Array(1)), pauseMs);
      setTimeout(() => signal?.aborted || out.close(), 2 * pauseMs);
    },
  });
  return new Response(body);
};

test('W2 a chunk whose answer falls silent is given up and fetched again; one that is slow is not', async () => {
  const answers = [slowly(30_000), slowly(8000)];
  const { __vitePreload } = await openPage((signal) => answers.shift()?.(signal) ?? Response.error());
  vi.useFakeTimers();

  const first = expect(__vitePreload(run, needs)).rejects.toThrow('abort');
  await vi.advanceTimersByTimeAsync(11_000);
  await first;
  const second = __vitePreload(run, needs);
  await vi.advanceTimersByTimeAsync(17_000);
  expect(await second).toBe('part');
});

/** A fresh page on which style sheets come when the test says so. */
const openStyled = async () => {
  const { __vitePreload } = await openPage(() => new Response('code'));
  const links: { onload?: () => void; onerror?: () => void; remove: () => void }[] = [];
  const removed: unknown[] = [];
  const createElement = () => {
    const link = { remove: () => removed.push(link) };
    return link;
  };
  const head = { append: (link: (typeof links)[number]) => links.push(link) };
  vi.stubGlobal('document', { querySelectorAll: () => [], styleSheets: [], createElement, head });
  vi.useFakeTimers();
  return { load: () => __vitePreload(run, ['assets/part.css']), links, removed };
};

test('W2 a style sheet that does not come is given up like a script, and asked for again', async () => {
  const { load, links, removed } = await openStyled();

  const first = expect(load()).rejects.toThrow('part.css');
  await vi.advanceTimersByTimeAsync(10_000);
  await first;
  expect(removed).toEqual([links[0]]);
  const second = load();
  links[1]?.onload?.();
  expect(await second).toBe('part');
  await vi.advanceTimersByTimeAsync(10_000);
  expect([links.length, removed.length]).toEqual([2, 1]);
});

test('W2 a style sheet that is slower than its limit has twice the time at the next try, not one that failed at once', async () => {
  const { load, links } = await openStyled();
  const refused = expect(load()).rejects.toThrow('part.css');
  links[0]?.onerror?.();
  await refused;

  const tooSlow = expect(load()).rejects.toThrow('part.css');
  await vi.advanceTimersByTimeAsync(10_000);
  await tooSlow;
  const slow = load();
  await vi.advanceTimersByTimeAsync(19_000);
  links[2]?.onload?.();

  expect(await slow).toBe('part');
});

import { expect, test, vi } from 'vitest';
import { createHandClock } from '../testing/hand-clock.ts';
import { type Auth, createHttp, type HttpOptions } from './http.ts';

const auth: Auth = {
  headers: async () => ({ authorization: 'jwt' }),
  expired: async () => false,
  accepted: () => {},
  session: () => 1,
};
type Fetch = HttpOptions['environment']['fetch'];
const make = (fetch: Fetch, options: Partial<HttpOptions> = {}) => {
  const clock = createHandClock();
  const environment = { fetch, clock, random: () => 0.5, uuid: () => 'r1' };
  const http = createHttp({
    baseUrl: 'http://h/api',
    apiKey: 'k',
    auth,
    timeout: 3000,
    withCredentials: false,
    environment,
    ...options,
  });
  return { http, clock };
};
const answer =
  (status: number, body: unknown): Fetch =>
  async () =>
    new Response(JSON.stringify(body), { status });

test('a call fills path and query and carries the headers of the protocol', async () => {
  const fetch = vi.fn(answer(200, { message: {} }));
  const { http } = make(fetch);

  await http.call('DELETE /messages/{id}', { path: { id: "a b'" }, query: { hard: 'true' } });

  const [url, init] = fetch.mock.calls[0] ?? [];
  expect(url).toBe("http://h/api/messages/a%20b'?hard=true");
  expect(init).toMatchObject({ method: 'DELETE', credentials: 'same-origin' });
  expect(init?.headers).toEqual({ authorization: 'jwt', 'x-api-key': 'k', 'x-client-request-id': 'r1' });
});

test('a call goes on after the page is closed only by option', async () => {
  const fetch = vi.fn(answer(200, {}));
  const { http } = make(fetch);
  await http.call('GET /unread', { keepalive: true });
  await http.call('GET /unread', {});

  expect(fetch.mock.calls.map(([, init]) => init.keepalive)).toEqual([true, false]);
});

test('C10 cookies go to another origin only by option', async () => {
  const fetch = vi.fn(answer(200, {}));
  await make(fetch, { withCredentials: true }).http.call('GET /unread', {});

  expect(fetch.mock.calls[0]?.[1].credentials).toBe('include');
});

test('C8 no answer within three seconds is a NetworkError that says so', async () => {
  const hang = (_: string, { signal }: RequestInit) =>
    new Promise<Response>((_, reject) =>
      signal?.addEventListener('abort', () => reject(new Error('aborted'))),
    );
  const { http, clock } = make(hang);
  const call = http.call('GET /unread', {});
  call.catch(() => {});
  await vi.waitFor(() => expect(clock.pending).toBe(1));

  clock.advance(2999);
  expect(clock.pending).toBe(1);
  clock.advance(1);

  await expect(call).rejects.toMatchObject({ name: 'NetworkError', timedOut: true });
});

/** An answer whose body comes in parts, and ends when the test ends it. */
const partial = () => {
  const { readable, writable } = new TransformStream<Uint8Array>();
  const writer = writable.getWriter();
  const send = (text: string) => writer.write(new TextEncoder().encode(text));
  const fetch = async (_: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => void writer.abort(new Error('aborted')));
    return new Response(readable);
  };
  return { fetch, send, end: () => writer.close() };
};

test('C8 the time limit counts silence: an answer that takes ten seconds arrives, if its parts keep coming', async () => {
  const { fetch, send, end } = partial();
  const { http, clock } = make(fetch);
  const call = http.call('GET /unread', {});

  await send('{"total"');
  clock.advance(2500);
  await send(':');
  for (let second = 0; second < 4; second += 1) {
    clock.advance(2500);
    await send(' ');
  }
  await send('7}');
  await end();

  await expect(call).resolves.toEqual({ total: 7 });
  expect(clock.pending).toBe(0);
});

test('C8 an answer that stops in the middle ends three seconds after its last part', async () => {
  const { fetch, send } = partial();
  const { http, clock } = make(fetch);
  const call = http.call('GET /unread', {});
  call.catch(() => {});

  await send('{"total"');
  clock.advance(2999);
  expect(clock.pending).toBe(1);
  clock.advance(1);

  await expect(call).rejects.toMatchObject({ name: 'NetworkError', timedOut: true });
});

test('C8 an answer that trickles for ever ends after forty time limits', async () => {
  const { fetch, send } = partial();
  const { http, clock } = make(fetch);
  const call = http.call('GET /unread', {});
  let isOver = false;
  call.catch(() => {
    isOver = true;
  });
  for (let second = 0; second < 200 && !isOver; second += 2) {
    await send(' ').catch(() => undefined);
    clock.advance(2000);
  }

  expect(isOver).toBe(true);
  await expect(call).rejects.toMatchObject({ name: 'NetworkError', timedOut: true });
});

test('C8 an answer without streams, or with those of another kind, is read as a whole', async () => {
  for (const body of [undefined, { pipe: () => {} }]) {
    const reply = { status: 200, headers: new Headers(), body, text: async () => '{"total":7}' };
    const { http } = make(async () => reply as unknown as Response);
    await expect(http.call('GET /unread', {})).resolves.toEqual({ total: 7 });
  }
});

test('C8 the time in which a token is got is not counted', async () => {
  let give = (_: Record<string, string>) => {};
  const headers = () => new Promise<Record<string, string>>((resolve) => (give = resolve));
  const { http, clock } = make(answer(200, { total: 7 }), { auth: { ...auth, headers } });
  const call = http.call('GET /unread', {});

  clock.advance(60_000);
  give({});

  await expect(call).resolves.toEqual({ total: 7 });
});

test('C9 an error of the wire reaches the caller as it is', async () => {
  const details = [{ path: 'text', message: 'too long' }];
  const { http } = make(
    answer(400, { code: 4, name: 'InputInvalid', message: 'No', status: 400, request_id: 'q', details }),
  );

  await expect(http.call('GET /unread', {})).rejects.toMatchObject({
    name: 'InputInvalid',
    code: 4,
    message: 'No',
    details,
    requestId: 'q',
  });
});

test('C8 an answer of a gateway in place of the server is a NetworkError, and refuses nothing', async () => {
  const bodies = ['<html>', '', '"ok"', '{"message":"no Route matched"}', '{"name":"Forbidden","code":7}'];
  for (const body of bodies)
    for (const status of [401, 403, 404, 429, 500, 502]) {
      const { http } = make(async () => new Response(body, { status }));
      await expect(http.call('GET /unread', {})).rejects.toMatchObject({
        name: 'NetworkError',
        message: expect.stringContaining(`The answer (${status}) is not of a Parley server`),
      });
    }
  for (const body of ['<html>', '', '"ok"', 'null', '7'])
    await expect(
      make(async () => new Response(body, { status: 200 })).http.call('GET /unread', {}),
    ).rejects.toMatchObject({ name: 'NetworkError' });
});

test('C8 a body too large for a gateway stays refused', async () => {
  const { http } = make(async () => new Response('<html>', { status: 413 }));

  await expect(http.call('GET /unread', {})).rejects.toMatchObject({
    name: 'PayloadTooLarge',
    retryable: false,
  });
});

test.each(['', '.', '..', undefined])(
  'C3 %j in a path is refused by the name of its part, before anything is sent',
  async (id) => {
    const fetch = vi.fn(answer(200, {}));
    const path = { id: id as string };

    await expect(make(fetch).http.call('GET /messages/{id}', { path })).rejects.toMatchObject({
      name: 'InputInvalid',
      message: `id cannot be "${id}"`,
      details: [{ path: 'id', message: expect.any(String) }],
    });
    expect(fetch).not.toHaveBeenCalled();
  },
);

test('C12 an unknown verb is refused before anything is sent', async () => {
  const fetch = vi.fn(answer(200, {}));
  const { http } = make(fetch);

  await expect(http.request('BREW', '/coffee')).rejects.toThrow('Invalid request type');
  await http.request('get', '/unread');

  expect(fetch).toHaveBeenCalledOnce();
});

test('C9 a token that stays expired is given up, not tried for ever', async () => {
  const fetch = vi.fn(
    answer(401, { code: 40, name: 'TokenExpired', message: '', status: 401, request_id: '' }),
  );
  const { http } = make(fetch, { auth: { ...auth, expired: async () => true } });

  await expect(http.call('GET /unread', {})).rejects.toMatchObject({ code: 40 });
  expect(fetch).toHaveBeenCalledTimes(6);
});

test('C10 an answer of another server is named, with the baseUrl that was asked', async () => {
  const page = make(async () => new Response('<!doctype html>', { status: 200 }));
  const missing = make(async () => new Response('<h1>Not Found</h1>', { status: 404 }));

  await expect(page.http.call('GET /unread', {})).rejects.toMatchObject({
    name: 'NetworkError',
    message: 'The answer (200) is not of a Parley server: is "http://h/api" its API, ending in "/api"?',
  });
  await expect(missing.http.call('GET /unread', {})).rejects.toThrow(
    'The answer (404) is not of a Parley server: is "http://h/api"',
  );
  const away = make(async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }));
  await expect(away.http.call('GET /unread', {})).rejects.toThrow(/Parley server$/);
});

test.each([500, 502, 503])('C10 a page of a gateway with %i is not blamed on the baseUrl', async (status) => {
  const { http } = make(async () => new Response('<h1>away</h1>', { status }));

  await expect(http.call('GET /unread', {})).rejects.not.toThrow('ending in');
});

test('C10 a call to another origin that fails in a browser names CORS_ORIGINS; one to the own origin does not', async () => {
  const fail = async () => Promise.reject(new TypeError('Failed to fetch'));
  vi.stubGlobal('location', { origin: 'https://app.example' });
  try {
    const call = (baseUrl: string) => make(fail, { baseUrl }).http.call('GET /unread', {});

    await expect(call('http://h/api')).rejects.toThrow('CORS_ORIGINS=https://app.example');
    await expect(call('https://app.example/api')).rejects.toThrow(
      /^The server at https:\/\/app.example\/api could not be reached$/,
    );
  } finally {
    vi.unstubAllGlobals();
  }
});

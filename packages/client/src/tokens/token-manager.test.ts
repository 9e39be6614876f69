import { expect, test, vi } from 'vitest';
import { createHandClock } from '../testing/hand-clock.ts';
import { createTokenManager } from './token-manager.ts';

const make = (source: string | (() => Promise<string>)) => {
  const clock = createHandClock();
  return { clock, tokens: createTokenManager(source, { clock, random: () => 1 }) };
};

test('C9 a provider is asked once however many wait', async () => {
  const provider = vi.fn(async () => 'token');
  const { tokens } = make(provider);

  await Promise.all([tokens.get(), tokens.get(), tokens.reload(), tokens.reload()]);

  expect(provider).toHaveBeenCalledOnce();
});

test('C9 the first reload comes at once, the second in a row waits', async () => {
  let count = 0;
  const provider = vi.fn(async () => `t${++count}`);
  const { tokens, clock } = make(provider);
  await tokens.get();
  await tokens.reload('t1');
  expect(provider).toHaveBeenCalledTimes(2);

  const third = tokens.reload('t2');
  await Promise.resolve();
  expect(provider).toHaveBeenCalledTimes(2);
  clock.advance(1000);

  expect(await third).toBe('t3');
});

test('C9 a token that was accepted starts the count anew', async () => {
  const { tokens, clock } = make(async () => 'token');
  await tokens.reload();
  tokens.accepted();

  await tokens.reload();

  expect(clock.pending).toBe(0);
});

test('C9 a caller who was refused with an old token gets the new one without another load', async () => {
  let count = 0;
  const provider = vi.fn(async () => `t${++count}`);
  const { tokens } = make(provider);
  await tokens.get();
  await tokens.reload('t1');

  expect(await tokens.reload('t1')).toBe('t2');
  expect(provider).toHaveBeenCalledTimes(2);
});

test('C9 a reload that comes back after its session ended is dropped', async () => {
  let answer: (token: string) => void = () => {};
  const { tokens } = make(() => new Promise((resolve) => (answer = resolve)));

  const loading = tokens.get();
  tokens.stop();
  answer('late');

  await expect(loading).rejects.toThrow('has ended');
  await expect(tokens.get()).rejects.toThrow('has ended');
});

test.each([undefined, null, ''])(
  'C9 %j as a token, or by a provider, is refused in words',
  async (nothing) => {
    for (const source of [async () => nothing as unknown as string, nothing as unknown as string])
      await expect(make(source).tokens.get()).rejects.toMatchObject({
        name: 'AuthenticationFailed',
        message: 'There is no token, or its function returned none',
      });
  },
);

test('C9 a provider that never answers is given up after 30 s and asked again', async () => {
  const provider = vi.fn(() => new Promise<string>(() => {}));
  const { tokens, clock } = make(provider);
  const waiting = [tokens.get(), tokens.get()].map((asked) => asked.catch((error: Error) => error));

  clock.advance(29_999);
  expect(clock.pending).toBe(1);
  clock.advance(1);
  for (const error of await Promise.all(waiting))
    expect(error).toMatchObject({
      name: 'NetworkError',
      timedOut: true,
      message: 'The token function did not answer in time',
    });

  provider.mockImplementation(async () => 'token');
  expect(await tokens.get()).toBe('token');
  expect([provider.mock.calls.length, clock.pending]).toEqual([2, 0]);
});

test('C9 a session that ends leaves no wait for a provider behind', async () => {
  const { tokens, clock } = make(() => new Promise<string>(() => {}));
  const loading = tokens.get();

  tokens.stop();

  await expect(loading).rejects.toThrow('has ended');
  expect(clock.pending).toBe(0);
});

test.each([
  [{ token: 'x' }, '[object Object]'],
  [42, '42'],
])('C9 a provider that gives %j is refused in words', async (given, named) => {
  await expect(make(async () => given as unknown as string).tokens.get()).rejects.toThrow(
    `A token is a string or a function that gives one, not ${named}`,
  );
});

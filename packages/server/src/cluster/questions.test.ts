import { expect, test, vi } from 'vitest';
import type { Outgoing } from '../bus/link-text.ts';
import { NoAnswer, Questions } from './questions.ts';

/** Two servers, a and b, of which each receives what the other sends, unless b is silent. */
const createScene = () => {
  const alive = new Set(['a', 'b']);
  let isSilent = false;
  const all: Record<string, Questions> = {};
  const join = (self: string, peer: string): Questions => {
    const send = (_subject: string, message: Outgoing) => {
      if (isSilent) return;
      if (message.kind === 'ask') void all[peer]?.onAsk(self, message);
      else if (message.kind === 'answer') all[peer]?.onAnswer(message.id, message);
    };
    const questions = new Questions({ send }, (id) => alive.has(id));
    all[self] = questions;
    return questions;
  };
  const [a, b] = [join('a', 'b'), join('b', 'a')];
  return {
    a,
    b,
    lose: () => {
      alive.delete('b');
      a.onGone('b');
    },
    silence: () => {
      isSilent = true;
    },
  };
};

const failure = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => error,
  );

test('W4 another server answers a question', async () => {
  const { a, b } = createScene();
  b.handle('double', async (n) => Number(n) * 2);

  expect(await a.ask('b', 'double', 21)).toBe(42);
});

test('W4 a server that fails to answer is unavailable', async () => {
  const { a, b } = createScene();
  b.handle('fail', () => Promise.reject(new Error('a secret of b')));

  for (const call of ['fail', 'unknown'])
    expect(await failure(a.ask('b', call, {}))).toMatchObject({ name: 'Unavailable' });
  expect(String(await failure(a.ask('b', 'fail', {})))).not.toContain('secret');
});

test('W4 a server that is silent is given up after the time', async () => {
  vi.useFakeTimers();
  const { a, silence } = createScene();
  silence();
  const asked = failure(a.ask('b', 'double', 1, 100));

  await vi.advanceTimersByTimeAsync(100);
  vi.useRealTimers();

  const error = await asked;
  expect(error).toBeInstanceOf(NoAnswer);
  expect(error).toMatchObject({ isGone: false });
});

test('W4 a server that goes fails what it was asked at once, and takes no more questions', async () => {
  const { a, silence, lose } = createScene();
  silence();
  const asked = failure(a.ask('b', 'double', 1));
  lose();

  for (const error of [await asked, await failure(a.ask('b', 'double', 1))])
    expect(error).toMatchObject({ isGone: true });
});

import { ParleyError } from '@parley/protocol/errors';
import { expect, test, vi } from 'vitest';
import { createAdminClient } from '../../admin/index.ts';
import { NetworkError } from '../../http/network-error.ts';
import { createTaskCalls } from './calls.ts';

const page = (status: number) => new Response('<h1>gateway</h1>', { status });
const task = (status: string) =>
  new Response(JSON.stringify({ task_id: 't', status, progress: 100, created_at: '', updated_at: '' }));

const answering = (answers: (() => Response)[]) => {
  const fetch = vi.fn(async () => (answers.shift() ?? (() => task('completed')))());
  const admin = createAdminClient({
    apiKey: 'k',
    secret: 's',
    baseUrl: 'http://h/api',
    environment: { fetch },
  });
  return { tasks: admin.tasks, fetch };
};

test.each([502, 503, 504, 429])(
  'M14 waiting for a task goes on through a %i of a gateway',
  async (status) => {
    const { tasks, fetch } = answering([() => page(status), () => task('running'), () => page(status)]);

    expect((await tasks.wait('t', { everyMs: 1 })).status).toBe('completed');
    expect(fetch).toHaveBeenCalledTimes(4);
  },
);

test.each([
  new ParleyError('NotFound', 'No task t'),
  new ParleyError('TokenExpired'),
  new Error('User is not set on client'),
])('M14 waiting for a task ends with the refusal "$message"', async (refusal) => {
  const call = vi.fn(async () => Promise.reject(refusal));
  const { wait } = createTaskCalls({ call });

  await expect(wait('t', { everyMs: 1 })).rejects.toBe(refusal);
  expect(call).toHaveBeenCalledTimes(1);
});

test('M14 an abort ends the waiting at once, between two questions', async () => {
  const { tasks } = answering([() => task('running')]);
  const stop = new AbortController();

  const waiting = tasks.wait('t', {
    everyMs: 1e8,
    signal: stop.signal,
    onProgress: () => setTimeout(() => stop.abort(new Error('enough')), 1),
  });

  await expect(waiting).rejects.toThrow('enough');
});

test('M14 an abort ends the waiting at once, also while a question is not answered', async () => {
  const stop = new AbortController();
  const { wait } = createTaskCalls({ call: () => new Promise<never>(() => {}) });

  const waiting = wait('t', { signal: stop.signal });
  stop.abort(new Error('enough'));

  await expect(waiting).rejects.toThrow('enough');
});

test('M14 an abort is not taken for a server that cannot be reached', async () => {
  const stop = new AbortController();
  const call = vi.fn(async () => {
    stop.abort(new Error('enough'));
    throw new NetworkError('The server could not be reached', { timedOut: false, cause: undefined });
  });

  await expect(createTaskCalls({ call }).wait('t', { signal: stop.signal })).rejects.toThrow('enough');
  expect(call).toHaveBeenCalledTimes(1);
});

test('M14 a signal that was aborted before asks nothing', async () => {
  const { tasks, fetch } = answering([]);

  await expect(tasks.wait('t', { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  expect(fetch).not.toHaveBeenCalled();
});

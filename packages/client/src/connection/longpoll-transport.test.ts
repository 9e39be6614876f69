import { expect, test, vi } from 'vitest';
import type { Http } from '../http/http.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { anOwnUser } from '../testing/records.ts';
import { createLongpollTransport } from './longpoll-transport.ts';
import type { OpenOptions } from './transport.ts';

test('C8 the socket that is tried beside the polls does not send the details of the user again', async () => {
  const clock = createHandClock();
  const tried: OpenOptions[] = [];
  const opened: unknown[] = [];
  const call = async (_key: string, { body }: { body: { payload?: unknown } }) => {
    if (!body.payload) return new Promise(() => {});
    opened.push(body.payload);
    return { connection_id: 'c1', me: anOwnUser('ann'), events: [] };
  };
  const hello = vi.fn();
  const transport = createLongpollTransport({
    http: { call } as unknown as Http,
    ...{ clock, pollTimeout: 1000, socketTimeout: 1000, causeOf: () => 'dropped' },
    socket: (options) => {
      tried.push(options);
      return { close: () => {}, probe: () => {} };
    },
    token: async () => 'token',
  });

  const payload = { user_id: 'ann', user_details: { id: 'ann', name: 'Ann' }, client_request_id: 'r' };
  transport({ token: 'token', payload }, { hello, event: () => {}, lost: () => {} });
  await vi.waitFor(() => expect([hello.mock.calls.length, clock.pending]).toEqual([1, 1]));
  clock.advance(60_000);
  await vi.waitFor(() => expect(tried).toHaveLength(1));

  expect(opened).toEqual([payload]);
  expect(tried[0]?.payload).toEqual({ user_id: 'ann', client_request_id: 'r' });
});

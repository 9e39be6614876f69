import { expect, test, vi } from 'vitest';
import type { Socket } from '../environment.ts';
import { createHandClock } from '../testing/hand-clock.ts';
import { anOwnUser } from '../testing/records.ts';
import { createWsTransport } from './ws-transport.ts';

class HandSocket implements Socket {
  readyState = 1;
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  onerror: Socket['onerror'] = null;
  sent: string[] = [];
  closed = false;
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.closed = true;
  }
  receive(event: object) {
    this.onmessage?.({ data: JSON.stringify(event) } as never);
  }
}

const open = (token: string | undefined = 'jwt') => {
  const clock = createHandClock();
  const listener = { hello: vi.fn(), event: vi.fn(), lost: vi.fn() };
  const made: HandSocket[] = [];
  class Made extends HandSocket {
    constructor() {
      super();
      made.push(this);
    }
  }
  const handle = createWsTransport({ url: 'ws://x', clock, WebSocket: Made as unknown as new () => Socket })(
    { token, payload: {} },
    listener,
  );
  const [socket] = made;
  if (socket === undefined) throw new Error('No socket was opened');
  socket.onopen?.({} as never);
  return { clock, socket, listener, handle };
};
const hello = { type: 'health.check', connection_id: 'c1', me: anOwnUser('ann') };

test('the token goes in the first frame, and events count only after the hello', () => {
  const { socket, listener } = open();

  socket.receive({ type: 'message.new' });
  socket.receive(hello);
  socket.receive({ type: 'message.read' });

  expect(JSON.parse(socket.sent[0] ?? '')).toEqual({
    type: 'connect',
    auth_type: 'jwt',
    token: 'jwt',
    payload: {},
  });
  expect(listener.hello).toHaveBeenCalledWith({ connectionId: 'c1', me: hello.me }, 'ws');
  expect(listener.event.mock.calls).toEqual([[{ type: 'message.read' }]]);
});

test('a beat goes out every 25 s, and 40 s of silence are the end', () => {
  const { clock, socket, listener } = open();
  socket.receive(hello);

  clock.advance(25_000);
  expect(socket.sent).toHaveLength(2);
  clock.advance(14_999);
  expect(listener.lost).not.toHaveBeenCalled();
  clock.advance(1);

  expect(listener.lost.mock.calls[0]?.[0]).toBe('dropped');
  expect([socket.closed, clock.pending]).toEqual([true, 0]);
});

test('the beats of the server keep it alive', () => {
  const { clock, socket, listener } = open();
  socket.receive(hello);

  for (let beats = 0; beats < 10; beats += 1) {
    clock.advance(30_000);
    socket.receive({ type: 'health.check' });
  }

  expect(listener.lost).not.toHaveBeenCalled();
});

test.each([
  [1001, 'going-away'],
  [4401, 'refused'],
  [4403, 'token-expired'],
  [4408, 'dropped'],
  [1006, 'dropped'],
])('a close with %i is %s', (code, cause) => {
  const { socket, listener } = open();
  socket.receive(hello);

  socket.onclose?.({ code } as never);

  expect(listener.lost.mock.calls[0]?.[0]).toBe(cause);
});

test('C9 an expired token is distinguished from a refused one', () => {
  const { socket, listener } = open();

  socket.receive({ type: 'connection.error', error: { name: 'TokenExpired', code: 40 } });

  expect(listener.lost.mock.calls[0]).toMatchObject(['token-expired', { name: 'TokenExpired' }]);
});

test('after a close no listener is called and no timer runs', async () => {
  const { clock, socket, listener, handle } = open();
  socket.receive(hello);

  await handle.close();
  socket.onclose?.({ code: 1000 } as never);

  expect(listener.lost).not.toHaveBeenCalled();
  expect(clock.pending).toBe(0);
});

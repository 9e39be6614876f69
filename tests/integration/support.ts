import type { Clock } from '@parley/client';
import type { TestClock } from '@parley/testkit';
import { type RawData, WebSocket } from 'ws';

/** A hand-moved clock as the client takes it. */
export const clientClock = (clock: TestClock): Clock => ({
  now: clock.now,
  setTimeout: clock.setTimeout,
  clearTimeout: (timer) => (timer as { stop(): void } | undefined)?.stop(),
});

/** A call about a moment that comes soon. Where a busy machine makes it only when that moment is over, it is refused, and gets a later one. */
export const soon = async <T>(call: (time: string) => Promise<T>): Promise<T> => {
  for (let ms = 300; ; ms *= 2) {
    try {
      return await call(new Date(Date.now() + ms).toISOString());
    } catch (error) {
      if (!/must be in the future/.test(String(error))) throw error;
    }
  }
};

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Frame = { type: string; [key: string]: unknown };
type Closed = { code: number; reason: string };

/** A socket without the SDK, which sends and receives whatever it likes. */
export const openSocket = (
  chat: { url: string; apiKey: string },
  path = `/api/connect?api_key=${chat.apiKey}`,
  options: { headers?: Record<string, string> } = {},
) => {
  const socket = new WebSocket(`${chat.url.replace(/^http/, 'ws')}${path}`, options);
  const frames: Frame[] = [];
  socket.on('message', (data: RawData) => frames.push(JSON.parse(String(data)) as Frame));
  socket.on('error', () => undefined);
  const opened = new Promise<void>((resolve) => socket.once('open', () => resolve()));
  const closed = new Promise<Closed>((resolve) =>
    socket.once('close', (code, reason) => resolve({ code, reason: String(reason) })),
  );
  return {
    frames,
    opened,
    closed,
    socket,
    send: (value: unknown) => socket.send(typeof value === 'string' ? value : JSON.stringify(value)),
    errors: () => frames.filter((frame) => frame.type === 'connection.error').map(({ error }) => error),
    close: () => socket.terminate(),
  };
};

export const connectFrame = (token: string | undefined, payload: Record<string, unknown> = {}) => ({
  type: 'connect',
  auth_type: token === undefined ? 'anonymous' : 'jwt',
  ...(token === undefined ? {} : { token }),
  payload,
});

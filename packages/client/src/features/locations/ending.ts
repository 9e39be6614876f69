/** Ends shares. What could not be said is said again at the next connection, also after a reload. */
import type { SharedLocation } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import type { ParleyClient } from '../../client.ts';
import type { Unsubscribe } from '../../readable.ts';
import type { DeviceStorage } from './device.ts';

type End = Pick<SharedLocation, 'message_id' | 'user_id' | 'created_at'>;
type Ends = {
  has(messageId: string): boolean;
  all(): End[];
  add(end: End): void;
  delete(messageId: string): void;
};

const key = 'parley location ends';
/** A browser that another person uses as well remembers no more than these. */
const most = 100;

const isEnd = (told: unknown): told is End =>
  typeof told === 'object' &&
  told !== null &&
  ['message_id', 'user_id', 'created_at'].every((name) => typeof (told as never)[name] === 'string');

const readEnds = (storage: DeviceStorage | undefined): End[] => {
  try {
    const told: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
    return Array.isArray(told) ? told.filter(isEnd) : [];
  } catch {
    // Forbidden by the browser's settings, or not written here.
    return [];
  }
};

/** In storage as well, which other tabs write too. */
const createEnds = (storage: DeviceStorage | undefined): Ends => {
  const ends = new Map(readEnds(storage).map((end) => [end.message_id, end]));
  const keep = (change: (known: End[]) => End[]): void => {
    try {
      storage?.setItem(key, JSON.stringify(change(readEnds(storage)).slice(-most)));
    } catch {
      // Full or forbidden: until a reload it is known here.
    }
  };
  return {
    has: (messageId) => ends.has(messageId),
    all: () => [...ends.values()],
    add: ({ message_id, user_id, created_at }) => {
      const end = { message_id, user_id, created_at };
      ends.set(message_id, end);
      keep((known) => [...known.filter((other) => other.message_id !== message_id), end]);
    },
    delete: (messageId) => {
      ends.delete(messageId);
      keep((known) => known.filter(({ message_id }) => message_id !== messageId));
    },
  };
};

export type Ending = {
  isEnding(messageId: string): boolean;
  say(end: End): Promise<void>;
  stop: Unsubscribe;
};

export const createEnding = (
  client: ParleyClient,
  deviceId: string,
  storage: DeviceStorage | undefined,
): Ending => {
  const ends = createEnds(storage);
  const say = async (end: End): Promise<void> => {
    const { message_id, created_at } = end;
    // A time of the server's own: by the clock of a device that is fast it would end later.
    const body = { message_id, created_by_device_id: deviceId, end_at: created_at };
    ends.add(end);
    try {
      await client.http.call('PUT /users/live_locations', { body });
    } catch (error) {
      if (!(error instanceof ParleyError) || error.retryable) throw error;
      ends.delete(message_id);
      if (error.name !== 'NotFound') throw error;
    }
    ends.delete(message_id);
  };
  const sayAgain = (): void => {
    const own = client.me.get()?.id;
    for (const end of ends.all()) if (end.user_id === own) void say(end).catch(() => undefined);
  };
  let known: string | undefined;
  const meet = (): void => {
    const own = client.me.get()?.id;
    if (own === known) return;
    known = own;
    sayAgain();
  };
  const stops = [client.on('connection.recovered', sayAgain), client.me.subscribe(meet)];
  meet();
  return {
    isEnding: ends.has,
    say,
    stop: () => {
      for (const stop of stops) stop();
    },
  };
};

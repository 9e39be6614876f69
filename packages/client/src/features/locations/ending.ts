/** Ends shares. An end that did not reach the server is sent again at the next connection, also after a reload. */
import type { SharedLocation } from '@parley/protocol';
import { ParleyError } from '@parley/protocol/errors';
import type { DeviceStorage } from '../../browser.ts';
import type { Core } from '../../core.ts';

type End = Pick<SharedLocation, 'message_id' | 'user_id' | 'created_at'>;
type Ends = {
  has(messageId: string): boolean;
  all(): End[];
  add(end: End): void;
  delete(messageId: string): void;
  /** Reads those of a user from the storage, and drops the others from memory. */
  open(userId: string | undefined): void;
};

const key = 'parley location ends';
/** A browser that another person uses as well remembers no more than these. */
const most = 100;

const isEnd = (stored: unknown): stored is End =>
  typeof stored === 'object' &&
  stored !== null &&
  ['message_id', 'user_id', 'created_at'].every((name) => typeof Reflect.get(stored, name) === 'string');

const readEnds = (storage: DeviceStorage | undefined): End[] => {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isEnd) : [];
  } catch {
    // Forbidden by the browser's settings, or not written here.
    return [];
  }
};

/** The ends are in storage as well, which other tabs write too. */
const createEnds = (storage: DeviceStorage | undefined): Ends => {
  let ends = new Map<string, End>();
  const keep = (change: (known: End[]) => End[]): void => {
    try {
      storage?.setItem(key, JSON.stringify(change(readEnds(storage)).slice(-most)));
    } catch {
      // Full or forbidden: until a reload it is known here.
    }
  };
  return {
    has: (messageId) => ends.has(messageId),
    open: (userId) => {
      const own = readEnds(storage).filter((end) => end.user_id === userId);
      ends = new Map(own.map((end) => [end.message_id, end]));
    },
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
  send(end: End): Promise<void>;
};

export const createEnding = (
  { http, me, events, resets }: Core,
  deviceId: string,
  storage: DeviceStorage | undefined,
): Ending => {
  const ends = createEnds(storage);
  const send = async (end: End): Promise<void> => {
    const { message_id, created_at } = end;
    // A time of the server's own: by the clock of a device that is fast it would end later.
    const body = { message_id, created_by_device_id: deviceId, end_at: created_at };
    ends.add(end);
    try {
      await http.call('PUT /users/live_locations', { body });
    } catch (error) {
      if (!(error instanceof ParleyError) || error.retryable) throw error;
      ends.delete(message_id);
      if (error.name !== 'NotFound') throw error;
    }
    ends.delete(message_id);
  };
  const sendAgain = (): void => {
    for (const end of ends.all()) void send(end).catch(() => undefined);
  };
  let known: string | undefined;
  const begin = (): void => {
    const own = me.get()?.id;
    if (own === known) return;
    known = own;
    ends.open(own);
    sendAgain();
  };
  events.on('connection.recovered', sendAgain);
  me.subscribe(begin);
  resets.push(() => {
    known = undefined;
    ends.open(undefined);
  });
  begin();
  return { isEnding: ends.has, send };
};

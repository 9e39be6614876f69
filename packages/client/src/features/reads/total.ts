/** The entry `@parley/client/unread`: one number for all channels, loaded or not. */
import type { EventOf, Message } from '@parley/protocol';
import type { ParleyClient } from '../../client.ts';
import type { Readable, Unsubscribe } from '../../readable.ts';

/** Where a channel that is not loaded stands; its unread is derived like that of any other. */
type Standing = { last: number; read: number };

export type UnreadTotal = Readable<number> & {
  /** Asks for what is not loaded and keeps it; returns its stop. */
  start(): Unsubscribe;
};

/** What is known of channels that no list has brought. */
const createOutside = (tell: () => void) => {
  const known = new Map<string, Standing>();
  return {
    known,
    arrived: (cid: string, { number, silent }: Pick<Message, 'number' | 'silent'>) => {
      const { last, read } = known.get(cid) ?? { last: 0, read: silent ? number : number - 1 };
      known.set(cid, { last: Math.max(last, number), read });
      tell();
    },
    marked: ({ cid, read }: EventOf<'notification.mark_read' | 'notification.mark_unread'>) => {
      if (cid === undefined || !read) return;
      known.set(cid, { last: read.last_read_number + read.unread_messages, read: read.last_read_number });
      tell();
    },
    forget: (cid: string) => {
      if (known.delete(cid)) tell();
    },
  };
};

type Outside = ReturnType<typeof createOutside>;

/** Tells when a channel that is loaded changes, or another one is. */
const followLoaded = ({ channels }: ParleyClient, tell: () => void): Unsubscribe => {
  let stops: Unsubscribe[] = [];
  const listen = () => {
    for (const stop of stops) stop();
    stops = channels.active.get().map((cid) => channels.state(cid).subscribe(tell));
    tell();
  };
  const stopActive = channels.active.subscribe(listen);
  listen();
  return () => {
    stopActive();
    for (const stop of stops) stop();
  };
};

/** Asks for what is unread as soon as there is somebody whose it is. */
const followOwn = (
  { me }: ParleyClient,
  outside: Outside,
  ask: () => void,
  tell: () => void,
): Unsubscribe => {
  let askedFor: string | undefined;
  const check = () => {
    const id = me.get()?.id;
    if (id === askedFor) return tell();
    askedFor = id;
    outside.known.clear();
    if (id !== undefined) ask();
  };
  const stop = me.subscribe(check);
  check();
  return stop;
};

const countAll = ({ channels, me }: ParleyClient, { known }: Outside): number => {
  const loaded = new Set(channels.active.get());
  let total = 0;
  for (const cid of loaded) {
    const state = channels.state(cid).get();
    if (state && !state.channel.muted) total += state.unread;
  }
  const muted = new Set(me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid));
  for (const [cid, { last, read }] of known)
    if (!loaded.has(cid) && !muted.has(cid)) total += Math.max(0, last - read);
  return total;
};

/** The unread messages of all channels that are not muted. */
export const createUnreadTotal = (client: ParleyClient): UnreadTotal => {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const outside = createOutside(tell);
  const ask = async () => {
    const reply = await client.reads.unread().catch(() => undefined);
    if (!reply) return;
    outside.known.clear();
    for (const { channel_id, unread_count, last_read_number: read } of reply.channels)
      outside.known.set(channel_id, { last: read + unread_count, read });
    tell();
  };
  const { on } = client;
  return {
    get: () => countAll(client, outside),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    start: () => {
      const stops = [
        followLoaded(client, tell),
        followOwn(client, outside, () => void ask(), tell),
        on('connection.recovered', () => void ask()),
        on('notification.message_new', ({ cid, message }) => {
          if (message.user?.id !== client.me.get()?.id) outside.arrived(cid ?? message.cid, message);
        }),
        on('notification.mark_read', outside.marked),
        on('notification.mark_unread', outside.marked),
        on('notification.removed_from_channel', ({ channel }) => outside.forget(channel.cid)),
        on('notification.channel_deleted', ({ channel }) => outside.forget(channel.cid)),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
};

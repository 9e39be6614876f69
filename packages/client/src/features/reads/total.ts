/** The entry `@parley/client/unread`: one number for all channels, loaded or not. */
import type { EventOf, Message, ReplyOf } from '@parley/protocol';
import type { ParleyClient } from '../../client.ts';
import { type Readable, stopAll, type Unsubscribe } from '../../readable.ts';
import { persist } from '../../retry.ts';

/** Where a channel that is not loaded stands; its unread is derived like that of any other. */
type Standing = { last: number; read: number; version: number; hidden?: boolean | undefined };

export type UnreadTotal = Readable<number> & {
  /** Asks for what is not loaded and keeps it; returns its stop. */
  start(): Unsubscribe;
};

type Arrived = Pick<Message, 'number' | 'silent' | 'parent_id' | 'show_in_channel'>;

/** Whether a message makes its channel unread: a thread reply that is not shown there does not. */
const isCounted = ({ silent, parent_id, show_in_channel }: Arrived): boolean =>
  !silent && (parent_id === undefined || show_in_channel === true);

/** What is known of channels that no list has brought. */
const createOutside = (tell: () => void) => {
  const known = new Map<string, Standing>();
  /** The channels that events told of while a reply was on its way: it may be older. */
  let heard = new Set<string>();
  const put = (cid: string, standing: Standing) => {
    heard.add(cid);
    known.set(cid, standing);
    tell();
  };
  return {
    known,
    arrived: (cid: string, message: Arrived) => {
      if (!isCounted(message)) return;
      const { number } = message;
      const { last, read, version, hidden } = known.get(cid) ?? { last: 0, read: number - 1, version: 0 };
      // A message that counts shows a hidden channel again; one that was known already does not.
      put(cid, { last: Math.max(last, number), read, version, hidden: hidden && number <= last });
    },
    marked: ({ cid, read }: EventOf<'notification.mark_read' | 'notification.mark_unread'>) => {
      if (cid === undefined || !read) return;
      const { last_read_number, unread_messages, version = 0 } = read;
      const before: Partial<Standing> = known.get(cid) ?? {};
      const last = Math.max(before.last ?? 0, last_read_number + unread_messages);
      if (version > (before.version ?? 0)) put(cid, { ...before, last, read: last_read_number, version });
    },
    hidden: ({ cid, last_number, mark: own }: EventOf<'channel.hidden'>) => {
      const before = known.get(cid ?? '');
      if (cid === undefined || !before) return;
      const last = Math.max(before.last, last_number);
      // With its history nothing is left to catch up with.
      const mark = own && own.version > before.version ? { read: last_number, version: own.version } : {};
      put(cid, { ...before, ...mark, last, hidden: last_number >= before.last });
    },
    shown: ({ cid }: EventOf<'channel.visible'>) => {
      const before = known.get(cid ?? '');
      if (cid !== undefined && before) put(cid, { ...before, hidden: false });
    },
    forget: (cid: string) => {
      heard.add(cid);
      if (known.delete(cid)) tell();
    },
    listen: () => {
      heard = new Set();
    },
    /** Takes a reply, but for the channels of which events have told since it was asked for. */
    load: (channels: ReplyOf<'GET /unread'>['channels']) => {
      for (const cid of known.keys()) if (!heard.has(cid)) known.delete(cid);
      for (const { channel_id: cid, unread_count, last_read_number: read, version, hidden } of channels) {
        const later = heard.has(cid) ? known.get(cid) : undefined;
        const last = Math.max(read + unread_count, later?.last ?? 0);
        if (heard.has(cid) && !later) continue;
        const isLater = later && later.version > version;
        known.set(
          cid,
          isLater ? { ...later, last } : { last, read, version, hidden: (later ?? { hidden }).hidden },
        );
      }
      tell();
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
    if (state && !state.channel.muted && !state.channel.hidden) total += state.unread;
  }
  const muted = new Set(me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid));
  for (const [cid, { last, read, hidden }] of known)
    if (!loaded.has(cid) && !muted.has(cid) && !hidden) total += Math.max(0, last - read);
  return total;
};

/** The unread messages of all channels that are neither muted nor hidden. */
export const createUnreadTotal = (client: ParleyClient): UnreadTotal => {
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of [...listeners]) listener();
  };
  const outside = createOutside(tell);
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const mine = turn;
    const world = { ...client.http.wire.environment, on: client.on };
    const read = () => {
      outside.listen();
      return client.reads.unread();
    };
    const reply = await persist(world, read, () => mine === turn).catch(() => undefined);
    if (reply && mine === turn) outside.load(reply.channels);
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
        on('channel.hidden', outside.hidden),
        on('channel.visible', outside.shown),
        on('notification.removed_from_channel', ({ channel }) => outside.forget(channel.cid)),
        on('notification.channel_deleted', ({ channel }) => outside.forget(channel.cid)),
      ];
      return stopAll([
        ...stops,
        () => {
          turn += 1;
        },
      ]);
    },
  };
};

import type { EventOf, Message, ReplyOf } from '@parley/protocol';
import type { Feature, FeatureCore, ParleyClient } from '../../client.ts';
import type { Readable, Unsubscribe } from '../../readable.ts';
import { persist, worldOf } from '../../retry.ts';

/** The marks of a channel that is not loaded; its unread is derived like that of any other. */
type Standing = { last: number; read: number; version: number; hidden?: boolean | undefined };

export type UnreadTotal = Readable<number>;

type Arrived = Pick<Message, 'number' | 'silent' | 'parent_id' | 'show_in_channel'>;

/** Whether a message makes its channel unread: a thread reply that is not shown there does not. */
const isCounted = ({ silent, parent_id, show_in_channel }: Arrived): boolean =>
  !silent && (parent_id === undefined || show_in_channel === true);

/** The marks of channels that no list has loaded. */
const createOutside = (notify: () => void) => {
  const known = new Map<string, Standing>();
  /** The channels that events changed while a reply was on its way: it may be older. */
  let changed = new Set<string>();
  const put = (cid: string, standing: Standing) => {
    changed.add(cid);
    known.set(cid, standing);
    notify();
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
      changed.add(cid);
      if (known.delete(cid)) notify();
    },
    listen: () => {
      changed = new Set();
    },
    /** Takes a reply, except for the channels that events changed since the call. */
    load: (channels: ReplyOf<'GET /unread'>['channels']) => {
      for (const cid of known.keys()) if (!changed.has(cid)) known.delete(cid);
      for (const { channel_id: cid, unread_count, last_read_number: read, version, hidden } of channels) {
        const later = changed.has(cid) ? known.get(cid) : undefined;
        const last = Math.max(read + unread_count, later?.last ?? 0);
        if (changed.has(cid) && !later) continue;
        const isLater = later && later.version > version;
        known.set(
          cid,
          isLater ? { ...later, last } : { last, read, version, hidden: (later ?? { hidden }).hidden },
        );
      }
      notify();
    },
  };
};

type Outside = ReturnType<typeof createOutside>;

/** Notifies when a loaded channel changes, and when another one is loaded. */
const followLoaded = ({ channels }: ParleyClient, notify: () => void): void => {
  let stops: Unsubscribe[] = [];
  const listen = () => {
    for (const stop of stops) stop();
    stops = channels.active.get().map((cid) => channels.state(cid).subscribe(notify));
    notify();
  };
  channels.active.subscribe(listen);
  listen();
};

/** Asks for the unread counts as soon as a user is known. */
const followOwn = (
  { me, resets }: FeatureCore,
  outside: Outside,
  ask: () => void,
  notify: () => void,
): void => {
  let askedFor: string | undefined;
  const check = () => {
    const id = me.get()?.id;
    if (id !== askedFor && id !== undefined) ask();
    askedFor = id;
    notify();
  };
  me.subscribe(check);
  resets.push(() => {
    askedFor = undefined;
    outside.known.clear();
  });
  check();
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

const createUnreadTotal = (core: FeatureCore): UnreadTotal => {
  const { client, events } = core;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const outside = createOutside(notify);
  let turn = 0;
  const ask = async () => {
    turn += 1;
    const mine = turn;
    const read = () => {
      outside.listen();
      return client.reads.unread();
    };
    const reply = await persist(worldOf(core), read, () => mine === turn).catch(() => undefined);
    if (reply && mine === turn) outside.load(reply.channels);
  };
  core.resets.push(() => {
    turn += 1;
  });
  followLoaded(client, notify);
  followOwn(core, outside, () => void ask(), notify);
  events.listen({
    'connection.recovered': () => void ask(),
    'notification.message_new': ({ cid, message }) => {
      if (message.user?.id !== client.me.get()?.id) outside.arrived(cid ?? message.cid, message);
    },
    'notification.mark_read': outside.marked,
    'notification.mark_unread': outside.marked,
    'channel.hidden': outside.hidden,
    'channel.visible': outside.shown,
    'notification.removed_from_channel': ({ channel }) => outside.forget(channel.cid),
    'notification.channel_deleted': ({ channel }) => outside.forget(channel.cid),
  });
  return {
    get: () => countAll(client, outside),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
};

/** The number of unread messages of all channels that are neither muted nor hidden, loaded or not. */
export const unreadTotal: Feature<UnreadTotal> = { name: 'unread-total', create: createUnreadTotal };

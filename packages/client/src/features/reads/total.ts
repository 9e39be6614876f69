import type { EventOf, Message, ReplyOf } from '@parley/protocol';
import type { Feature, FeatureCore, ParleyClient } from '../../client.ts';
import { createQuestion } from '../../question.ts';
import type { Readable, Unsubscribe } from '../../readable.ts';
import { createThreadMarks, type ThreadMarks } from './thread-marks.ts';

/** The marks of a channel that is not loaded; its unread is derived like that of any other. */
type Standing = {
  last: number;
  read: number;
  version: number;
  hidden?: boolean | undefined;
  archived?: boolean | undefined;
};

export type UnreadTotal = Readable<number> & {
  /** The own marks in threads with unread replies, and in those that were read since; undefined until they are loaded. */
  threads: Readable<ThreadMarks | undefined>;
  /** The part of the total that is in archived channels. */
  archived: Readable<number>;
};

type Arrived = Pick<Message, 'number' | 'silent' | 'parent_id' | 'show_in_channel'>;

/** Whether a message makes its channel unread: a thread reply that is not shown there does not. */
const isCounted = ({ silent, parent_id, show_in_channel }: Arrived): boolean =>
  !silent && (parent_id === undefined || show_in_channel === true);

/** The standing of a channel by a reply and by the events that came since it was asked for. */
const standingFrom = (
  reply: ReplyOf<'GET /unread'>['channels'][number],
  later: Standing | undefined,
): Standing => {
  const { unread_count, last_read_number: read, version, archived } = reply;
  const last = Math.max(read + unread_count, later?.last ?? 0);
  const { hidden } = later ?? reply;
  return later && later.version > version
    ? { ...later, last, archived }
    : { last, read, version, hidden, archived };
};

/** A message that counts shows a hidden channel again; one that was known already does not. */
const standingAfter = (before: Standing | undefined, number: number): Standing => {
  const { last, hidden, ...rest } = before ?? { last: 0, read: number - 1, version: 0, hidden: false };
  return { ...rest, last: Math.max(last, number), hidden: hidden && number <= last };
};

/** The marks of channels that no list has loaded. */
const createOutside = (notify: () => void, ask: () => void) => {
  const known = new Map<string, Standing>();
  let uncounted = new Set<string>();
  /** The channels that events changed while a reply was on its way: it may be older. */
  let changed = new Set<string>();
  const put = (cid: string, standing: Standing) => {
    changed.add(cid);
    known.set(cid, standing);
    notify();
  };
  return {
    known,
    arrived: (cid: string, message: Arrived, isLoaded: boolean) => {
      if (!isCounted(message) || uncounted.has(cid)) return;
      const before = known.get(cid);
      put(cid, standingAfter(before, message.number));
      // Only the server knows whether the channel counts, and whether it is archived.
      if (!before && !isLoaded) ask();
    },
    archived: ({ cid = '', member }: EventOf<'member.updated'>) => {
      const before = known.get(cid);
      if (before) put(cid, { ...before, archived: member.archived_at !== undefined });
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
    reset: () => {
      known.clear();
      uncounted = new Set();
    },
    listen: () => {
      changed = new Set();
    },
    /** Takes a reply, except for the channels that events changed since the call. */
    load: ({ channels, uncounted: never }: ReplyOf<'GET /unread'>) => {
      uncounted = new Set(never);
      for (const cid of known.keys()) if (!changed.has(cid) || uncounted.has(cid)) known.delete(cid);
      for (const reply of channels) {
        const cid = reply.channel_id;
        const later = changed.has(cid) ? known.get(cid) : undefined;
        if (!changed.has(cid) || later) known.set(cid, standingFrom(reply, later));
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
    outside.reset();
  });
  check();
};

const countAll = ({ channels, me }: ParleyClient, { known }: Outside, onlyArchived: boolean): number => {
  const loaded = new Set(channels.active.get());
  let total = 0;
  for (const cid of loaded) {
    const { channel, membership, unread } = channels.state(cid).get() ?? {};
    if (channel?.muted || channel?.hidden || (onlyArchived && !membership?.archived_at)) continue;
    total += unread ?? 0;
  }
  const muted = new Set(me.get()?.channel_mutes.map(({ channel_cid }) => channel_cid));
  for (const [cid, { last, read, hidden, archived }] of known) {
    if (loaded.has(cid) || muted.has(cid) || hidden || (onlyArchived && !archived)) continue;
    total += Math.max(0, last - read);
  }
  return total;
};

const createUnreadTotal = (core: FeatureCore): UnreadTotal => {
  const { client, events } = core;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of [...listeners]) listener();
  };
  const outside = createOutside(notify, () => question.again());
  const threads = createThreadMarks(core, () => question.again());
  const read = () => {
    outside.listen();
    return threads.during(client.reads.unread);
  };
  const question = createQuestion(core, read, ({ reply, load }) => {
    outside.load(reply);
    load();
  });
  core.resets.push(question.cancel);
  followLoaded(client, notify);
  followOwn(core, outside, question.begin, notify);
  events.listen({
    'connection.recovered': question.begin,
    'notification.message_new': ({ cid, message }) => {
      const id = cid ?? message.cid;
      const isLoaded = client.channels.state(id).get() !== undefined;
      if (message.user?.id !== client.me.get()?.id) outside.arrived(id, message, isLoaded);
    },
    'notification.mark_read': outside.marked,
    'notification.mark_unread': outside.marked,
    'channel.hidden': outside.hidden,
    'channel.visible': outside.shown,
    // One without a place in the log is about the own settings.
    'member.updated': (event) => {
      if (event.seq === undefined) outside.archived(event);
    },
    'notification.removed_from_channel': ({ channel }) => outside.forget(channel.cid),
    'notification.channel_deleted': ({ channel }) => outside.forget(channel.cid),
  });
  const subscribe = (listener: () => void): Unsubscribe => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  };
  return {
    get: () => countAll(client, outside, false),
    subscribe,
    threads: threads.marks,
    archived: { get: () => countAll(client, outside, true), subscribe },
  };
};

/** The number of unread messages of all channels that are neither muted nor hidden, loaded or not. */
export const unreadTotal: Feature<UnreadTotal> = { name: 'unread-total', create: createUnreadTotal };

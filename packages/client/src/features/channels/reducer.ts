import type { Channel, EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, putOwn, versionAt } from '../../sync/read-state.ts';
import type { ConfirmedChannel, LoadedThread, ReadMarks, VisibleMessage } from '../../sync/state.ts';

const isSameFor = (known: Channel, next: Channel): boolean =>
  known.frozen === next.frozen && known.disabled === next.disabled;

/**
 * Personal fields are in replies and never in events: those that are known stay. Without `own_capabilities` the known
 * ones are in doubt until they have been asked for.
 */
const mergeChannel = (known: Channel, next: Channel): Channel => {
  const { hidden, muted } = { ...known, ...next };
  const own_capabilities =
    next.own_capabilities ?? (isSameFor(known, next) ? known.own_capabilities : undefined);
  return {
    ...next,
    ...(hidden === undefined ? {} : { hidden }),
    ...(muted === undefined ? {} : { muted }),
    ...(own_capabilities === undefined ? {} : { own_capabilities }),
    ...(next.config === undefined && known.config !== undefined ? { config: known.config } : {}),
  };
};

const withChannel = (state: ConfirmedChannel, { channel }: { channel: Channel }): ConfirmedChannel => ({
  ...state,
  channel: mergeChannel(state.channel, channel),
  capabilities: channel.own_capabilities ? new Set(channel.own_capabilities) : state.capabilities,
});

/** Nothing is left to catch up with. */
const allRead = (state: ConfirmedChannel, { last_number, seq }: EventOf<'channel.truncated'>): ReadMarks => {
  const last_read_number = last_number ?? state.lastNumber;
  const own = findMark(state, state.ownId);
  const marks = state.marks.map((mark) => (mark === own ? mark : { ...mark, last_read_number }));
  return own ? putOwn({ ...state, marks }, { ...own, last_read_number, version: versionAt(seq) }) : marks;
};

/** Every list without what is older than `until`. */
const leftAfter = (state: ConfirmedChannel, until: string) => {
  const isLeft = (message: VisibleMessage) => message.created_at > until;
  const messages = state.messages.filter(isLeft);
  const left = (message: VisibleMessage | undefined) => (message && isLeft(message) ? message : undefined);
  const threads: Record<string, LoadedThread> = {};
  for (const [parentId, thread] of Object.entries(state.threads)) {
    threads[parentId] = {
      ...thread,
      messages: thread.messages.filter(isLeft),
      hasOlder: false,
      unsequenced: 0,
    };
  }
  return {
    messages,
    threads,
    pinned: state.pinned.filter(isLeft),
    unsequenced: Math.min(state.unsequenced, messages.length),
    hasOlder: false,
    hasNewer: state.hasNewer && messages.length > 0,
    tail: left(state.tail),
    passed: left(state.passed),
  };
};

const truncate = (state: ConfirmedChannel, event: EventOf<'channel.truncated'>): ConfirmedChannel => {
  const until = event.channel.truncated_at ?? event.created_at;
  return {
    ...withChannel(state, event),
    ...leftAfter(state, until),
    marks: allRead(state, event),
  };
};

/** Messages older than `until` are gone for the own user. */
export const clearHistory = (state: ConfirmedChannel, until: string | undefined): ConfirmedChannel => {
  const { membership } = state;
  if (until === undefined || !membership || membership.cleared_at === until) return state;
  return { ...state, membership: { ...membership, cleared_at: until }, ...leftAfter(state, until) };
};

/** Whether the known membership is newer: two devices, or a reply that was long on its way. */
export const isOlderOwn = (
  { membership }: ConfirmedChannel,
  { own_version = 0 }: { own_version?: number },
): boolean => own_version < (membership?.own_version ?? 0);

const withHidden = (
  state: ConfirmedChannel,
  hidden: boolean,
  event: { own_version: number },
): ConfirmedChannel => {
  if (isOlderOwn(state, event)) return state;
  const { membership, channel } = state;
  const { own_version } = event;
  return {
    ...state,
    channel: { ...channel, hidden },
    membership: membership && { ...membership, own_version },
  };
};

/** Nothing is unread in a channel whose history was cleared. */
const hide = (state: ConfirmedChannel, event: EventOf<'channel.hidden'>): ConfirmedChannel => {
  const { cleared_at, last_number, mark } = event;
  const own = mark && findMark(state, state.ownId);
  return {
    // A message that counts and came after the act shows the channel again, even if its event came first.
    ...withHidden(clearHistory(state, cleared_at), last_number >= state.lastNumber, event),
    lastNumber: Math.max(state.lastNumber, last_number),
    marks: own ? putOwn(state, { ...own, ...mark, last_read_number: last_number }) : state.marks,
  };
};

const show = (state: ConfirmedChannel, event: EventOf<'channel.visible'>): ConfirmedChannel =>
  withHidden(state, false, event);

const mute = (
  state: ConfirmedChannel,
  { channel_mutes }: EventOf<'notification.channel_mutes_updated'>,
): ConfirmedChannel => {
  const muted = channel_mutes.some(({ channel_cid }) => channel_cid === state.cid);
  const isKnown = !state.membership || (state.channel.muted ?? false) === muted;
  return isKnown ? state : { ...state, channel: { ...state.channel, muted } };
};

export const channelsReducers = {
  'channel.hidden': hide,
  'channel.visible': show,
  'notification.channel_mutes_updated': mute,
  'channel.updated': withChannel,
  'channel.deleted': withChannel,
  'channel.truncated': truncate,
} satisfies Reducers;

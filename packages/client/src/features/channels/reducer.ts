import type { Capability, Channel, EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel, LoadedThread, VisibleMessage } from '../../sync/state.ts';

/** Personal fields are in replies and never in events: those that are known stay. */
const mergeChannel = (known: Channel, next: Channel): Channel => {
  const { hidden, muted, own_capabilities } = { ...known, ...next };
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
  capabilities: channel.own_capabilities
    ? new Set(channel.own_capabilities as Capability[])
    : state.capabilities,
});

/** Nothing is left to catch up with. */
const allRead = ({ read, lastNumber }: ConfirmedChannel): ConfirmedChannel['read'] =>
  Object.fromEntries(
    Object.entries(read).map(([id, mark]) => [id, { ...mark, last_read_number: lastNumber }]),
  );

const truncate = (state: ConfirmedChannel, event: EventOf<'channel.truncated'>): ConfirmedChannel => {
  const until = event.channel.truncated_at ?? event.created_at;
  const isLeft = (message: VisibleMessage) => message.created_at > until;
  const messages = state.messages.filter(isLeft);
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
    ...withChannel(state, event),
    messages,
    threads,
    read: allRead(state),
    pinned: state.pinned.filter(isLeft),
    unsequenced: Math.min(state.unsequenced, messages.length),
    hasOlder: false,
  };
};

export const channelsReducers = {
  'channel.updated': withChannel,
  'channel.deleted': withChannel,
  'channel.truncated': truncate,
} satisfies Reducers;

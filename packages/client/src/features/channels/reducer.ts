import type { Capability, Channel, EventOf } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { allMarks, settledMarks } from '../../sync/read-state.ts';
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
  capabilities: channel.own_capabilities
    ? new Set(channel.own_capabilities as Capability[])
    : state.capabilities,
});

/** Nothing is left to catch up with. */
const allRead = (marks: ReadMarks, lastNumber: number): ReadMarks =>
  settledMarks(
    Object.fromEntries(
      Object.entries(allMarks(marks)).map(([id, mark]) => [id, { ...mark, last_read_number: lastNumber }]),
    ),
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
    marks: allRead(state.marks, event.last_number ?? state.lastNumber),
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

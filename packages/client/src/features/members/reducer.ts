import type { EventOf, Member } from '@parley/protocol';
import { fidelityOf } from '@parley/protocol/limits';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, putMark, removeMark, versionAt } from '../../sync/read-state.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';
import { clearHistory, isOlderOwn } from '../channels/reducer.ts';

type MemberEvent = EventOf<'member.added' | 'member.updated' | 'member.removed'>;

const counted = (
  { channel }: ConfirmedChannel,
  { member_count }: MemberEvent,
): ConfirmedChannel['channel'] => {
  if (member_count === undefined || channel.member_count === member_count) return channel;
  const { fidelity: _, ...rest } = channel;
  const fidelity = fidelityOf(member_count, channel.config);
  return { ...rest, member_count, ...(fidelity && { fidelity }) };
};

const put = (members: readonly Member[], member: Member): readonly Member[] => {
  const index = members.findIndex((known) => known.user_id === member.user_id);
  return index < 0 ? members.concat(member) : members.with(index, member);
};

/** A new member has nothing to catch up with. */
const addMember = (state: ConfirmedChannel, event: EventOf<'member.added'>): ConfirmedChannel => {
  const { user, user_id } = event.member;
  const next = withMember(state, event);
  if (!user || findMark(state, user_id)) return next;
  return {
    ...next,
    marks: putMark(state.marks, {
      user,
      last_read_number: event.last_number ?? state.lastNumber,
      ...(user_id === state.ownId && { version: versionAt(event.seq) }),
    }),
  };
};

/** Where the own user puts a channel: in replies and in events to them alone, never in the log. */
const placed = (member: Member, own: Partial<Member>): Member => {
  const { pinned_at: _pinned, archived_at: _archived, ...rest } = member;
  const { pinned_at, archived_at, cleared_at, own_version } = own;
  return {
    ...rest,
    ...(pinned_at && { pinned_at }),
    ...(archived_at && { archived_at }),
    ...(cleared_at && { cleared_at }),
    ...(own_version && { own_version }),
  };
};

const withMember = (state: ConfirmedChannel, event: MemberEvent): ConfirmedChannel => {
  const member = event.member;
  const isOwn = member.user_id === state.ownId;
  // An event outside the log has no place in its order: it says nothing but the own part.
  if (isOwn && event.seq === undefined) {
    if (isOlderOwn(state, member)) return state;
    const { membership, ...rest } = clearHistory(state, member.cleared_at);
    return { ...rest, membership: membership && placed(membership, member) };
  }
  return {
    ...state,
    channel: counted(state, event),
    members: put(state.members, member),
    membership: isOwn ? placed(member, state.membership ?? {}) : state.membership,
  };
};

const withoutMember = (state: ConfirmedChannel, event: MemberEvent): ConfirmedChannel => {
  const id = event.member.user_id;
  return {
    ...state,
    channel: counted(state, event),
    members: state.members.filter((member) => member.user_id !== id),
    membership: id === state.ownId ? undefined : state.membership,
    marks: removeMark(state.marks, id),
  };
};

export const membersReducers = {
  'member.added': addMember,
  'member.updated': withMember,
  'member.removed': withoutMember,
} satisfies Reducers;

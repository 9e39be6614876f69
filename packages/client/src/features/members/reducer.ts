import type { EventOf, Member } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, putMark, removeMark } from '../../sync/read-state.ts';
import type { ConfirmedChannel } from '../../sync/state.ts';

type MemberEvent = EventOf<'member.added' | 'member.updated' | 'member.removed'>;

const counted = (state: ConfirmedChannel, event: MemberEvent): ConfirmedChannel['channel'] =>
  event.member_count === undefined || state.channel.member_count === event.member_count
    ? state.channel
    : { ...state.channel, member_count: event.member_count };

/** Personal fields of others are not sent; those of the own membership are kept from the reply. */
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
    marks: putMark(state.marks, { user, last_read_number: event.last_number ?? state.lastNumber }),
  };
};

const withMember = (state: ConfirmedChannel, event: MemberEvent): ConfirmedChannel => ({
  ...state,
  channel: counted(state, event),
  members: put(state.members, event.member as Member),
  membership: event.member.user_id === state.ownId ? (event.member as Member) : state.membership,
});

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

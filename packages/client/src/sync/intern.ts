/** Makes what was just parsed small before it is kept: users, ids and empty lists are shared, not repeated. */
import type { Member, Message, Poll, Reaction, ServerEvent, User } from '@parley/protocol';
import type { VisibleMessage } from './state.ts';
import type { UserCache } from './user-cache.ts';

const noUsers: User[] = [];
const noReactions: Reaction[] = [];
const noAttachments: Message['attachments'] = [];
const noCounts: Record<string, number> = {};
const noGroups: Message['reaction_groups'] = {};

const isEmpty = (record: object): boolean => {
  for (const _ in record) return false;
  return true;
};

const internAll = (list: User[], users: UserCache): User[] =>
  list.length === 0 ? noUsers : list.map(users.intern);

const internReactions = (list: Reaction[] | undefined, users: UserCache): Reaction[] => {
  if (!list || list.length === 0) return noReactions;
  for (const reaction of list) if (reaction.user) reaction.user = users.intern(reaction.user);
  return list;
};

const internPoll = (poll: Poll, users: UserCache): void => {
  if (poll.created_by) poll.created_by = users.intern(poll.created_by);
  for (const votes of [poll.latest_answers, ...Object.values(poll.latest_votes_by_option)])
    for (const vote of votes) if (vote.user) vote.user = users.intern(vote.user);
};

/** Owns its argument: call it only on what came fresh from the wire. */
export const internMessage = (message: Message, users: UserCache, cid: string): VisibleMessage => {
  const visible = Object.assign(message, { cid, status: 'sent' as const });
  // Changed by no event of the log: `@parley/client/reminders` keeps them.
  if (visible.reminder) delete visible.reminder;
  if (visible.user) visible.user = users.intern(visible.user);
  visible.mentioned_users = internAll(visible.mentioned_users ?? noUsers, users);
  if (visible.thread_participants)
    visible.thread_participants = internAll(visible.thread_participants, users);
  if (visible.pinned_by) visible.pinned_by = users.intern(visible.pinned_by);
  if (visible.quoted_message?.user) visible.quoted_message.user = users.intern(visible.quoted_message.user);
  if (visible.poll) internPoll(visible.poll, users);
  visible.latest_reactions = internReactions(visible.latest_reactions, users);
  if (visible.own_reactions) visible.own_reactions = internReactions(visible.own_reactions, users);
  if (visible.attachments.length === 0) visible.attachments = noAttachments;
  if (isEmpty(visible.reaction_counts)) visible.reaction_counts = noCounts;
  if (isEmpty(visible.reaction_scores)) visible.reaction_scores = noCounts;
  if (isEmpty(visible.reaction_groups)) visible.reaction_groups = noGroups;
  if (visible.updated_at === visible.created_at) visible.updated_at = visible.created_at;
  return visible;
};

export const internMember = (member: Member, users: UserCache): Member => {
  if (member.user) member.user = users.intern(member.user);
  return member;
};

type Parts = {
  type: string;
  message?: Message;
  user?: User;
  member?: Member;
  reaction?: Reaction;
  read?: { user: User };
  poll?: Poll;
};

/** Events that say something new about the user themselves, not only name them. */
const aboutUsers = new Set(['user.updated', 'user.presence.changed', 'user.deleted']);

/** An event whose message is as the store keeps it. */
export type Interned<E> = E extends { message: Message } ? E & { message: VisibleMessage } : E;

export function internEvent(event: ServerEvent, users: UserCache): asserts event is Interned<ServerEvent> {
  const parts: Parts = event;
  if (parts.user) parts.user = aboutUsers.has(event.type) ? users.put(parts.user) : users.intern(parts.user);
  if (parts.message) {
    // Nobody can have reacted to what is new: a broadcast that leaves the own reactions out says that there are none.
    if (event.type === 'message.new') {
      parts.message.own_reactions ??= noReactions;
      if (parts.message.poll) parts.message.poll.own_votes ??= [];
    }
    internMessage(parts.message, users, event.cid ?? parts.message.cid);
  }
  if (parts.poll) internPoll(parts.poll, users);
  if (parts.member) internMember(parts.member, users);
  if (parts.reaction?.user) parts.reaction.user = users.intern(parts.reaction.user);
  if (parts.read) parts.read.user = users.intern(parts.read.user);
}

import type { Message, Poll, User } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, putMark } from '../../sync/read-state.ts';
import type { ConfirmedChannel, LoadedThread } from '../../sync/state.ts';

/** A list without a change keeps its identity, so that nothing renders again. One that is not there stays away. */
function mapSome<T>(list: T[], change: (item: T) => T): T[];
function mapSome<T>(list: readonly T[], change: (item: T) => T): readonly T[];
function mapSome<T>(list: readonly T[], change: (item: T) => T): readonly T[] {
  let next: T[] | undefined;
  list?.forEach((item, index) => {
    const changed = change(item);
    if (changed === item) return;
    next ??= [...list];
    next[index] = changed;
  });
  return next ?? list;
}

const withParts = <T extends object>(item: T, parts: Partial<T>): T => {
  for (const key in parts) if (item[key] !== parts[key]) return { ...item, ...parts };
  return item;
};

/** The new version of a user, put wherever a channel names them. */
const createSwap = (user: User) => {
  const swap = (known: User): User => (known.id === user.id ? user : known);
  const owned = <T extends { user?: User }>(item: T): T =>
    item.user?.id === user.id && item.user !== user ? { ...item, user } : item;
  const poll = (known: Poll): Poll =>
    withParts(known, {
      ...(known.created_by && { created_by: swap(known.created_by) }),
      latest_answers: mapSome(known.latest_answers, owned),
      latest_votes_by_option: withParts(
        known.latest_votes_by_option,
        Object.fromEntries(
          Object.entries(known.latest_votes_by_option).map(([id, votes]) => [id, mapSome(votes, owned)]),
        ),
      ),
    });
  const message = <T extends Message>(known: T): T =>
    // The parts are those of a message, which `T` only extends.
    withParts<Message>(known, {
      ...(known.user && { user: swap(known.user) }),
      mentioned_users: mapSome(known.mentioned_users, swap),
      ...(known.thread_participants && { thread_participants: mapSome(known.thread_participants, swap) }),
      ...(known.pinned_by && { pinned_by: swap(known.pinned_by) }),
      latest_reactions: mapSome(known.latest_reactions, owned),
      ...(known.poll && { poll: poll(known.poll) }),
      ...(known.own_reactions && { own_reactions: mapSome(known.own_reactions, owned) }),
      ...(known.quoted_message && { quoted_message: message(known.quoted_message) }),
    }) as T;
  return { swap, owned, message };
};

const userUpdated = (state: ConfirmedChannel, { user }: { user: User }): ConfirmedChannel => {
  const { swap, owned, message } = createSwap(user);
  const { created_by, direct_members } = state.channel;
  const threads: Record<string, LoadedThread> = {};
  for (const [parentId, thread] of Object.entries(state.threads))
    threads[parentId] = withParts(thread, { messages: mapSome(thread.messages, message) });
  const mark = findMark(state, user.id);
  return withParts(state, {
    channel: withParts(state.channel, {
      ...(created_by && { created_by: swap(created_by) }),
      ...(direct_members && { direct_members: mapSome(direct_members, swap) }),
    }),
    members: mapSome(state.members, owned),
    membership: state.membership && owned(state.membership),
    messages: mapSome(state.messages, message),
    pinned: mapSome(state.pinned, message),
    threads: withParts(state.threads, threads),
    typing: mapSome(state.typing, swap),
    threadTyping: mapSome(state.threadTyping, owned),
    watchers: mapSome(state.watchers, swap),
    marks: mark && mark.user !== user ? putMark(state.marks, { ...mark, user }) : state.marks,
  });
};

export const usersReducers = { 'user.updated': userUpdated, 'user.deleted': userUpdated } satisfies Reducers;

import type { Message, Poll, User } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import { findMark, putMark } from '../../sync/read-state.ts';
import type { ConfirmedChannel, LoadedThread } from '../../sync/state.ts';

/** A list without a change keeps its identity, so that nothing renders again. */
const mapSome = <T>(list: readonly T[], change: (item: T) => T): readonly T[] => {
  let next: T[] | undefined;
  list.forEach((item, index) => {
    const changed = change(item);
    if (changed === item) return;
    next ??= [...list];
    next[index] = changed;
  });
  return next ?? list;
};

const withParts = <T extends object>(item: T, parts: Partial<T>): T => {
  const isSame = Object.entries(parts).every(([key, part]) => item[key as keyof T] === part);
  return isSame ? item : { ...item, ...parts };
};

/** The new version of a user, put wherever a channel names them. */
const createSwap = (user: User) => {
  const swap = <T extends User | undefined>(known: T): T => (known?.id === user.id ? (user as T) : known);
  const users = <T extends readonly User[] | undefined>(list: T): T => list && (mapSome(list, swap) as T);
  const owned = <T extends { user?: User }>(item: T): T =>
    item.user?.id === user.id && item.user !== user ? { ...item, user } : item;
  const ownedAll = <T extends readonly { user?: User }[] | undefined>(list: T): T =>
    list && (mapSome(list, owned) as T);
  const poll = (known: Poll): Poll =>
    withParts<Poll>(known, {
      ...(known.created_by && { created_by: swap(known.created_by) }),
      latest_answers: ownedAll(known.latest_answers),
      latest_votes_by_option: withParts(
        known.latest_votes_by_option,
        Object.fromEntries(
          Object.entries(known.latest_votes_by_option).map(([id, votes]) => [id, ownedAll(votes)]),
        ),
      ),
    });
  const message = <T extends Message>(known: T): T =>
    withParts<Message>(known, {
      ...(known.user && { user: swap(known.user) }),
      mentioned_users: users(known.mentioned_users),
      ...(known.thread_participants && { thread_participants: users(known.thread_participants) }),
      ...(known.pinned_by && { pinned_by: swap(known.pinned_by) }),
      latest_reactions: ownedAll(known.latest_reactions),
      ...(known.poll && { poll: poll(known.poll) }),
      ...(known.own_reactions && { own_reactions: ownedAll(known.own_reactions) }),
      ...(known.quoted_message && { quoted_message: message(known.quoted_message) }),
    }) as T;
  return { swap, users, owned, ownedAll, message };
};

const userUpdated = (state: ConfirmedChannel, { user }: { user: User }): ConfirmedChannel => {
  const { swap, users, owned, ownedAll, message } = createSwap(user);
  const { created_by, direct_members } = state.channel;
  const threads: Record<string, LoadedThread> = {};
  for (const [parentId, thread] of Object.entries(state.threads))
    threads[parentId] = withParts(thread, { messages: mapSome(thread.messages, message) });
  const mark = findMark(state, user.id);
  return withParts(state, {
    channel: withParts(state.channel, {
      ...(created_by && { created_by: swap(created_by) }),
      ...(direct_members && { direct_members: users(direct_members) }),
    }),
    members: ownedAll(state.members),
    membership: state.membership && owned(state.membership),
    messages: mapSome(state.messages, message),
    pinned: mapSome(state.pinned, message),
    threads: withParts(state.threads, threads),
    typing: users(state.typing),
    threadTyping: ownedAll(state.threadTyping),
    watchers: users(state.watchers),
    marks: mark && mark.user !== user ? putMark(state.marks, { ...mark, user }) : state.marks,
  });
};

export const usersReducers = { 'user.updated': userUpdated, 'user.deleted': userUpdated } satisfies Reducers;

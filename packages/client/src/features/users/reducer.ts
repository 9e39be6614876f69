import type { User } from '@parley/protocol';
import type { Reducers } from '../../sync/apply.ts';
import type { ConfirmedChannel, VisibleMessage } from '../../sync/state.ts';

/** Lists without the user keep their identity, so that nothing renders again. */
const replaceIn = <T extends { user?: User }>(list: readonly T[], user: User): readonly T[] =>
  list.some((item) => item.user?.id === user.id)
    ? list.map((item) => (item.user?.id === user.id ? { ...item, user } : item))
    : list;

const userUpdated = (state: ConfirmedChannel, { user }: { user: User }): ConfirmedChannel => {
  const members = replaceIn(state.members, user);
  const messages: readonly VisibleMessage[] = replaceIn(state.messages, user);
  const read = state.read[user.id];
  if (members === state.members && messages === state.messages && !read) return state;
  return {
    ...state,
    members,
    messages,
    ...(read ? { read: { ...state.read, [user.id]: { ...read, user } } } : {}),
  };
};

export const usersReducers = { 'user.updated': userUpdated, 'user.deleted': userUpdated } satisfies Reducers;

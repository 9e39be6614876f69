import type { Message, User } from '@parley/protocol';
import type { ChannelState } from '../../sync/state.ts';
import { hasCapability } from '../channels/selectors.ts';
import { isOwn } from '../messages/selectors.ts';
import { selectUserName } from '../users/selectors.ts';
import type { Label } from './text.ts';

/** The target of a mention. */
export type Called =
  | { kind: 'user'; user: User }
  | { kind: 'role'; role: string }
  | { kind: 'here' }
  | { kind: 'channel' };

type Mentioning = Pick<
  Message,
  'mentioned_users' | 'mentioned_roles' | 'mentioned_here' | 'mentioned_channel'
>;
type Me = { id: string; role?: string };

/** Whether the own user may mention all members. */
export const canMentionEveryone = (state: ChannelState): boolean => hasCapability(state, 'mention-everyone');

/** The names under which a message calls people, as its text has them. */
export const selectCalled = (message: Mentioning): Label<Called>[] => [
  ...message.mentioned_users.map((user) => ({
    name: selectUserName(user),
    value: { kind: 'user' as const, user },
  })),
  ...(message.mentioned_roles ?? []).map((role) => ({ name: role, value: { kind: 'role' as const, role } })),
  ...(message.mentioned_here ? [{ name: 'here', value: { kind: 'here' as const } }] : []),
  ...(message.mentioned_channel ? [{ name: 'channel', value: { kind: 'channel' as const } }] : []),
];

/** Whether a message calls somebody by name, by role, or with everyone. */
export const isMentioned = (message: Mentioning, me: Me, channelRole?: string): boolean =>
  message.mentioned_here === true ||
  message.mentioned_channel === true ||
  message.mentioned_users.some(({ id }) => id === me.id) ||
  (message.mentioned_roles ?? []).some((role) => role === me.role || role === channelRole);

/** Whether one of the loaded unread messages calls the own user. */
export const hasUnreadMention = (state: ChannelState, me: Me | undefined): boolean => {
  if (state.unread === 0 || me === undefined) return false;
  const readUpTo = state.lastNumber - state.unread;
  return state.messages.some(
    (message) =>
      message.number > readUpTo &&
      !isOwn(message, me) &&
      isMentioned(message, me, state.membership?.channel_role),
  );
};

import { type ChannelState, canReply, canSend, hasCapability } from '@parley/client';

type Me = { id: string; role?: string } | undefined;

export type WritingBlock =
  | 'writeAnonymous'
  | 'writeDisabled'
  | 'writeFrozen'
  | 'writeBanned'
  | 'writeNotAllowed';

/** The reason why nothing can be written here, as the key of its text; undefined when the user can write. */
export const writingBlock = (state: ChannelState, me: Me, parentId?: string): WritingBlock | undefined => {
  if (parentId === undefined ? canSend(state, me) : canReply(state, me)) return undefined;
  if (me === undefined || me.role === 'anonymous') return 'writeAnonymous';
  if (state.channel.disabled || state.channel.deleted_at !== undefined) return 'writeDisabled';
  if (state.channel.frozen) return 'writeFrozen';
  if (state.membership?.banned) return 'writeBanned';
  return 'writeNotAllowed';
};

/** The time at which slow mode lets the own user write again; 0 when it does now. */
export const slowUntil = (state: ChannelState): number => {
  const { cooldown } = state.channel;
  if (cooldown === 0 || hasCapability(state, 'skip-slow-mode')) return 0;
  // The server counts replies as well, shown in the channel or not.
  const lists = [state.messages, ...Object.values(state.threads).map(({ messages }) => messages)];
  const times = lists.map((messages) => {
    const own = messages.findLast(({ user, status }) => user?.id === state.ownId && status === 'sent');
    return own ? Date.parse(own.created_at) + cooldown * 1000 : 0;
  });
  return Math.max(...times);
};

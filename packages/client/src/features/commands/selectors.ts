import type { ChannelState } from '../../sync/state.ts';
import { canAddMembers, canUpdateChannel, hasCapability } from '../channels/selectors.ts';

/** The command that a text begins with. A space before the slash makes it plain text. */
export const parseCommand = (text: string): { name: string; args: string } | undefined => {
  const match = /^\/([a-z][a-z0-9_-]*)(?:\s+([\s\S]*))?$/i.exec(text.trimEnd());
  return match?.[1] === undefined ? undefined : { name: match[1].toLowerCase(), args: match[2] ?? '' };
};

/** Whether the own user may do in this channel what the command does. */
export const canUseCommand = (state: ChannelState | undefined, name: string): boolean => {
  if (name === 'invite') return state !== undefined && canAddMembers(state);
  if (name === 'poll') return state !== undefined && hasCapability(state, 'create-poll');
  return name === 'topic' ? state !== undefined && canUpdateChannel(state) : true;
};

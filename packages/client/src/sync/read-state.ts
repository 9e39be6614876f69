import type { User } from '@parley/protocol';
import type { ChannelRead, ConfirmedChannel } from './state.ts';

type Progress = { number: number; at: string; messageId: string | undefined };

/** A read mark only moves forward here; going back is an act of its own (mark unread). */
export const advanceRead = (
  state: ConfirmedChannel,
  user: User,
  progress: Progress,
): ConfirmedChannel['read'] => {
  const known = state.read[user.id];
  if (known && known.last_read_number > progress.number) return state.read;
  if (known && known.last_read_number === progress.number && (known.last_read ?? '') >= progress.at)
    return state.read;
  const { number, at, messageId } = progress;
  const next: ChannelRead = {
    ...known,
    user,
    last_read: at,
    last_read_number: number,
    ...(messageId === undefined ? {} : { last_read_message_id: messageId }),
  };
  return { ...state.read, [user.id]: next };
};

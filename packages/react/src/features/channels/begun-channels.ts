import type { ChannelQuery, ChannelState } from '@parley/client';
import { userBox } from '../../chat/readables.ts';

/** Channels that were created here; lists show them before the server lists them. */
export const begunChannels = userBox<readonly string[]>('begun-channels', []);

type StateOf = (cid: string) => Pick<ChannelState, 'channel' | 'membership'> | undefined;

/** The list with the channels that were created here, below the pinned ones. What was put away since belongs to another list. */
export const addBegun = (
  cids: readonly string[],
  begun: readonly string[],
  { filter }: ChannelQuery,
  stateOf: StateOf,
): readonly string[] => {
  if (/"(archived|hidden)":true/.test(JSON.stringify(filter))) return cids;
  const early = begun.filter((cid) => {
    const { channel, membership } = stateOf(cid) ?? {};
    return channel && !channel.hidden && !membership?.archived_at && !cids.includes(cid);
  });
  const pinned = cids.filter((cid) => stateOf(cid)?.membership?.pinned_at);
  return [...new Set([...pinned, ...early, ...cids])];
};

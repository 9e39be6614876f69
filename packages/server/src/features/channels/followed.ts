import type { ChannelStateReply } from '@parley/protocol';
import type { Followed } from '../../hub/connection.ts';

type Members = ReadonlyMap<string, readonly { user_id: string }[]>;

const userIdOf = ({ user_id }: { user_id: string }): string => user_id;

/** The members of channels, as the people whose presence a connection follows by them. */
export const followedBy = (members: Members): Followed =>
  new Map([...members].map(([cid, rows]) => [cid, rows.map(userIdOf)]));

/** Those of them of whom the reply says nothing. */
export const notShown = (followed: Followed, states: readonly ChannelStateReply[]): Followed => {
  const hidden = new Map<string, string[]>();
  for (const [cid, userIds] of followed) {
    const state = states.find(({ channel }) => channel.cid === cid);
    const shown = new Set(state?.members.map(userIdOf));
    const rest = userIds.filter((userId) => !shown.has(userId));
    if (rest.length > 0) hidden.set(cid, rest);
  }
  return hidden;
};

/** The rights and marks of the own user in a channel. */
import type { ChannelStateReply } from '@parley/protocol';
import type { Core } from '../../core.ts';
import { isOlderOwn } from './reducer.ts';

/** Takes capabilities and read state from a reply. */
export const takeOwn = (core: Core, reply: ChannelStateReply): void => {
  const { channel: said, membership: member } = reply;
  const { cid, config, own_capabilities } = said;
  const state = core.store.confirmed(cid);
  if (!state) return;
  for (const listener of core.afterState) listener(reply);
  // The reply may be older than what the own user did on another device meanwhile, and than a message that shows the channel again.
  const isHidden = said.hidden && reply.last_number >= state.lastNumber;
  const hidden = isOlderOwn(state, member ?? {}) ? undefined : isHidden;
  const muted = member && core.me.get()?.channel_mutes.some((mute) => mute.channel_cid === cid);
  const personal = Object.entries({ config, own_capabilities, hidden, muted }).filter(
    ([, is]) => is !== undefined,
  );
  const channel = { ...state.channel, ...Object.fromEntries(personal) };
  core.confirm({ type: 'channel.updated', cid, channel });
  if (member) core.confirm({ type: 'member.updated', cid, member, member_count: channel.member_count });
  const read = reply.read.find(({ user }) => user.id === state.ownId);
  if (read) core.confirm({ type: 'notification.mark_unread', cid, read });
};

import { type ChannelInput, invalid, type MemberInput, ParleyError } from '@parley/protocol';
import { type Place, requireCapability } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';

export type ChannelUpdate = {
  data?: ChannelInput;
  add_members?: MemberInput[];
  remove_members?: string[];
  add_moderators?: string[];
  demote_moderators?: string[];
  invites?: MemberInput[];
  accept_invite?: boolean;
  reject_invite?: boolean;
};

/** Some settings are a right of their own. */
export const requireForData = (place: Place, actor: Actor, keys: string[]): void => {
  if (keys.includes('disabled') && actor.kind !== 'server')
    throw new ParleyError('NotAllowed', 'Only the server may disable a channel (disable-channel)');
  if (keys.includes('frozen')) requireCapability(place, 'freeze-channel');
  if (keys.includes('cooldown')) requireCapability(place, 'set-channel-cooldown');
  if (keys.some((key) => !['frozen', 'cooldown', 'disabled'].includes(key)))
    requireCapability(place, 'update-channel');
};

export const idOf = (member: MemberInput): string => (typeof member === 'string' ? member : member.user_id);
const setsRole = (member: MemberInput): boolean =>
  typeof member !== 'string' && member.channel_role !== undefined;

/** One may join and leave by oneself; all else about members is a right of its own. */
const requireForMembers = (place: Place, actor: Actor, update: ChannelUpdate): void => {
  if (place.capabilities.has('update-channel-members')) return;
  const { add_members: added, remove_members: removed } = update;
  const onlySelf = (list: MemberInput[]) => list.every((member) => idOf(member) === actorId(actor));
  if (added)
    requireCapability(
      place,
      onlySelf(added) && !added.some(setsRole) ? 'join-channel' : 'update-channel-members',
    );
  if (removed) requireCapability(place, onlySelf(removed) ? 'leave-channel' : 'update-channel-members');
  if (update.add_moderators || update.demote_moderators || update.invites)
    requireCapability(place, 'update-channel-members');
};

/** Whether the actor may make this change of a channel. */
export const checkUpdate = (place: Place, actor: Actor, update: ChannelUpdate): void => {
  if (update.data?.members || update.data?.created_by_id)
    throw invalid('data.members', 'members change by add_members and remove_members');
  if (update.accept_invite && update.reject_invite)
    throw invalid('reject_invite', 'an invitation is accepted or rejected, not both');
  if (update.data) requireForData(place, actor, ['name', ...Object.keys(update.data)]);
  requireForMembers(place, actor, update);
};

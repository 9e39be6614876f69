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
/** One may join and leave by oneself; to add others, to remove them and to give them roles are three rights. */
const requireForMembers = (place: Place, actor: Actor, update: ChannelUpdate): void => {
  const namesOthers = (list: MemberInput[]) => list.some((member) => idOf(member) !== actorId(actor));
  const { add_members: added, remove_members: removed, invites } = update;
  if (added && !place.capabilities.has('add-channel-members'))
    requireCapability(place, namesOthers(added) ? 'add-channel-members' : 'join-channel');
  if (invites) requireCapability(place, 'add-channel-members');
  if (removed?.includes(actorId(actor) ?? '')) requireCapability(place, 'leave-channel');
  if (removed && namesOthers(removed)) requireCapability(place, 'remove-channel-members');
  for (const list of [update.add_moderators, update.demote_moderators])
    if (list && namesOthers(list)) requireCapability(place, 'grant-channel-roles');
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

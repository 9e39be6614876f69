import { type Capability, ParleyError, rankOf } from '@parley/protocol';
import { type Actor, actorId } from '../auth/actor.ts';
import type { ChannelRow, MemberRow } from '../db/rows.ts';
import { type Place, requireCapability } from './place.ts';

/** The actor that changes members of a channel, as the rows under its lock say. */
export type Acting = { actor: Actor; place: Place };

/** `current` is the membership before; undefined for somebody who is being added. */
type Grant = { userId: string; role: string; current: MemberRow | undefined };

const rankOfActor = ({ actor, place }: Acting): number => {
  if (actor.kind === 'server') return Number.POSITIVE_INFINITY;
  const { id, role } = actor.user.row;
  return rankOf({
    isOwner: place.channel.created_by === id,
    channelRole: place.member?.channel_role,
    appRole: role,
    rights: place.type.grants([role]).any,
  });
};

const rankOfMember = ({ created_by }: ChannelRow, { user_id, channel_role }: MemberRow): number =>
  rankOf({ isOwner: created_by === user_id, channelRole: channel_role });

const rankOfRole = (role: string): number => rankOf({ isOwner: false, channelRole: role });

const denied = ({ place }: Acting, capability: Capability, reason: string): ParleyError =>
  new ParleyError('NotAllowed', `Not allowed to ${capability} in ${place.channel.cid}: ${reason}`);

/** Refuses what is done to a member by somebody who does not stand above them. */
export const requireAbove = (acting: Acting, capability: Capability, target: MemberRow): void => {
  requireCapability(acting.place, capability);
  if (rankOfActor(acting) <= rankOfMember(acting.place.channel, target))
    throw denied(acting, capability, `${target.user_id} has the same role or a higher one`);
};

/** Refuses a role above the actor's own, any role for somebody at or above it, and any that would raise the actor. */
export const requireGrant = (acting: Acting, { userId, role, current }: Grant): void => {
  if (acting.actor.kind === 'server') return;
  const wanted = rankOfRole(role);
  if (userId === actorId(acting.actor)) {
    if (wanted > rankOfRole(current?.channel_role ?? 'channel_member'))
      throw denied(acting, 'grant-channel-roles', 'nobody raises themselves');
    return;
  }
  if (current) requireAbove(acting, 'grant-channel-roles', current);
  else if (wanted > 0) requireCapability(acting.place, 'grant-channel-roles');
  if (wanted > rankOfActor(acting))
    throw denied(acting, 'grant-channel-roles', `${role} is above the own role`);
};

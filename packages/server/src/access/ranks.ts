import { type Capability, ParleyError, rankOf } from '@parley/protocol';
import { type Actor, actorId } from '../auth/actor.ts';
import type { MemberRow } from '../db/rows.ts';
import { type Place, requireCapability } from './place.ts';

/** The actor that changes members of a channel, as the rows under its lock say. */
export type Acting = { actor: Actor; place: Place };

/** Somebody to whom something is done. `appRole` is undefined for a user who is gone. */
export type Target = { member: MemberRow; appRole: string | undefined };

/** `current` is the membership before; undefined for somebody who is being added. */
type Grant = { userId: string; role: string; current: Target | undefined };

type Person = { id: string; member: MemberRow | undefined; appRole: string | undefined };

/** One reading for who acts and for whom it is done to: staff keep their rank where they are plain members. */
const rankIn = ({ channel, type }: Place, { id, member, appRole }: Person): number =>
  rankOf({
    isOwner: channel.created_by === id,
    channelRole: member?.channel_role,
    appRole,
    rights: appRole === undefined ? undefined : type.grants([appRole]).any,
  });

const rankOfActor = ({ actor, place }: Acting): number => {
  if (actor.kind === 'server') return Number.POSITIVE_INFINITY;
  const { id, role } = actor.user.row;
  return rankIn(place, { id, member: place.member, appRole: role });
};

const rankOfRole = (role: string): number => rankOf({ isOwner: false, channelRole: role });

const denied = ({ place }: Acting, capability: Capability, reason: string): ParleyError =>
  new ParleyError('NotAllowed', `Not allowed to ${capability} in ${place.channel.cid}: ${reason}`);

/** Refuses what is done to a member by somebody who does not stand above them. */
export const requireAbove = (acting: Acting, capability: Capability, target: Target): void => {
  requireCapability(acting.place, capability);
  const id = target.member.user_id;
  if (rankOfActor(acting) <= rankIn(acting.place, { id, ...target }))
    throw denied(acting, capability, `${id} has the same role or a higher one`);
};

/** Refuses a role above the actor's own, any role for somebody at or above it, and any that would raise the actor. */
export const requireGrant = (acting: Acting, { userId, role, current }: Grant): void => {
  if (acting.actor.kind === 'server') return;
  const wanted = rankOfRole(role);
  if (userId === actorId(acting.actor)) {
    if (wanted > rankOfRole(current?.member.channel_role ?? 'channel_member'))
      throw denied(acting, 'grant-channel-roles', 'nobody raises themselves');
    return;
  }
  if (current) requireAbove(acting, 'grant-channel-roles', current);
  else if (wanted > 0) requireCapability(acting.place, 'grant-channel-roles');
  if (wanted > rankOfActor(acting))
    throw denied(acting, 'grant-channel-roles', `${role} is above the own role`);
};

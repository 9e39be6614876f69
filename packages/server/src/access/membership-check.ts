import type { Capability, ParleyError } from '@parley/protocol';
import type pg from 'pg';
import type { Actor } from '../auth/actor.ts';
import { placeIn } from './grants.ts';
import { denied, type Place } from './place.ts';
import { type Membership, readMemberships } from './store.ts';

/** Checks the membership that a right rests on again, under the lock. The first check asks a cache: a member who was removed,
 * banned or demoted since then must not write. */
export type MembershipCheck = {
  role: string;
  /** Why the right is gone, given the membership as it is under the lock. */
  refusal(member: Membership | undefined): ParleyError | undefined;
};

/** Undefined where no membership gave the right: for a server, and for an actor who is no member of an open channel. */
export const membershipCheckOf = (
  actor: Actor,
  { channel, type, member }: Place,
  capability: Capability,
): MembershipCheck | undefined => {
  if (actor.kind === 'server' || !member) return undefined;
  return {
    role: member.channel_role,
    refusal: (now) => {
      const { capabilities } = placeIn(type, actor, channel, now && { ...member, ...now });
      const isAllowed = capabilities.has('read-channel') && capabilities.has(capability);
      return isAllowed ? undefined : denied(capability, channel.cid);
    },
  };
};

type Claim = { cid: string; userId: string; membershipCheck: MembershipCheck | undefined };

const keyOf = (cid: string, userId: string): string => `${cid} ${userId}`;

/** Reads the memberships that claims rest on; the answer says which claim is refused. The statement goes out at once. */
export const readMembershipRefusals = async (
  client: pg.Client,
  claims: Claim[],
): Promise<(claim: Claim) => ParleyError | undefined> => {
  const people = new Map(
    claims
      .filter(({ membershipCheck }) => membershipCheck)
      .map((claim) => [keyOf(claim.cid, claim.userId), claim]),
  );
  if (people.size === 0) return () => undefined;
  const rows = await readMemberships(client, [...people.values()]);
  const found = new Map(rows.map((row) => [keyOf(row.cid, row.user_id), row]));
  return ({ cid, userId, membershipCheck }) => membershipCheck?.refusal(found.get(keyOf(cid, userId)));
};

import type { Capability, ParleyError } from '@parley/protocol';
import type pg from 'pg';
import type { Actor } from '../auth/actor.ts';
import { placeIn } from './grants.ts';
import { denied, type Place } from './place.ts';
import { type Membership, readMemberships } from './store.ts';

/** The membership that a right rests on. The first look asks a cache: who was removed, banned or demoted since then must not
 * write under the lock. */
export type Standing = {
  role: string;
  /** Why the right is gone, given the membership as it is under the lock. */
  refusal(member: Membership | undefined): ParleyError | undefined;
};

/** Undefined where no membership gave the right: of a server, and of who acts in an open channel from outside. */
export const standingOf = (
  actor: Actor,
  { channel, type, member }: Place,
  capability: Capability,
): Standing | undefined => {
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

type Claim = { cid: string; userId: string; standing: Standing | undefined };

const keyOf = (cid: string, userId: string): string => `${cid} ${userId}`;

/** Reads the memberships that claims rest on; the answer says which claim is refused. The statement goes out at once. */
export const readStandings = async (
  client: pg.Client,
  claims: Claim[],
): Promise<(claim: Claim) => ParleyError | undefined> => {
  const people = new Map(
    claims.filter(({ standing }) => standing).map((claim) => [keyOf(claim.cid, claim.userId), claim]),
  );
  if (people.size === 0) return () => undefined;
  const rows = await readMemberships(client, [...people.values()]);
  const found = new Map(rows.map((row) => [keyOf(row.cid, row.user_id), row]));
  return ({ cid, userId, standing }) => standing?.refusal(found.get(keyOf(cid, userId)));
};

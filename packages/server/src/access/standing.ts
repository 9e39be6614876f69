import type { Capability, ParleyError } from '@parley/protocol';
import type pg from 'pg';
import type { Actor } from '../auth/actor.ts';
import type { MemberRow } from '../db/rows.ts';
import { placeIn } from './grants.ts';
import { denied, type Place } from './place.ts';

type Membership = Pick<MemberRow, 'channel_role' | 'banned'>;

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
type Found = Membership & { cid: string; user_id: string };

const statement = {
  name: 'standings',
  text: `select m.cid, m.user_id, m.channel_role, m.banned from unnest($1::text[], $2::text[]) as t (cid, user_id)
    join members m on m.cid = t.cid and m.user_id = t.user_id`,
};

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
  const asked = [...people.values()];
  const { rows } = await client.query<Found>({
    ...statement,
    values: [asked.map(({ cid }) => cid), asked.map(({ userId }) => userId)],
  });
  const found = new Map(rows.map((row) => [keyOf(row.cid, row.user_id), row]));
  return ({ cid, userId, standing }) => standing?.refusal(found.get(keyOf(cid, userId)));
};

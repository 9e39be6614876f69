import { placeIn } from '../../access/grants.ts';
import { lockChannel, type Place, requireCapability } from '../../access/place.ts';
import type { Acting } from '../../access/ranks.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Tx } from '../../kernel/kernel.ts';
import { lockMember } from './store.ts';

/** Locks the channel and reads the actor's place again: an actor who was demoted or removed since the first look is refused. */
export const lockActor = async (tx: Tx, { channel, type }: Place, actor: Actor): Promise<Acting> => {
  const row = await lockChannel(tx.db, channel.cid);
  const id = actorId(actor);
  const member = id === undefined ? undefined : await lockMember(tx.db, row.cid, id);
  const place = placeIn(type, actor, row, member);
  requireCapability(place, 'read-channel');
  return { actor, place };
};

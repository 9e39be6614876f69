import { ParleyError } from '@parley/protocol';
import type { Access } from '../../access/access.ts';
import { isCleared, lockChannel, type Place, requireCapability, requireOn } from '../../access/place.ts';
import { type Actor, actorId } from '../../auth/actor.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { lockActor } from '../members/lock-actor.ts';
import type { PollRow } from './rules.ts';
import { findPoll, lockPoll } from './store.ts';

/** A poll as an actor finds it. Before it is sent it has no place, and only its creator and the server see it. */
export type FoundPoll = { row: PollRow; place: Place | undefined; isOwn: boolean };

const missing = (id: string) => new ParleyError('NotFound', `No poll ${id}`);

export type PollAccess = ReturnType<typeof createPollAccess>;

/** Decides who may see and change a poll. A poll is part of the message that carries it: the rights are those of messages. */
export const createPollAccess = (kernel: Kernel, access: Access) => {
  const see = async (actor: Actor, id: string): Promise<FoundPoll> => {
    const found = await findPoll(kernel.db, id);
    if (!found) throw missing(id);
    const { sent_at, ...row } = found;
    const isOwn = row.created_by === actorId(actor);
    if (row.cid === null) {
      if (!isOwn && actor.kind !== 'server') throw missing(id);
      return { row, place: undefined, isOwn };
    }
    const place = await access.enter(actor, row.cid);
    if (sent_at !== null && isCleared(place, { created_at: sent_at })) throw missing(id);
    return { row, place, isOwn };
  };

  const lockRow = async (tx: Tx, { id, cid }: PollRow): Promise<PollRow> => {
    const row = await lockPoll(tx.db, id);
    // Sent since it was looked at: without the channel's lock it must not change.
    if (!row || row.cid !== cid) throw missing(id);
    return row;
  };

  const mayUpdate = ({ place, isOwn }: FoundPoll): boolean =>
    place === undefined || (isOwn ? place.grants.own : place.grants.any).has('update-message');

  return {
    see,
    requireUpdate: ({ place, isOwn }: FoundPoll): void => {
      if (place) requireOn(place, 'update-message', isOwn);
    },
    requireDelete: ({ place, isOwn }: FoundPoll): void => {
      if (place) requireOn(place, 'delete-message', isOwn);
    },
    /** Requires the right to change the poll, or to vote where suggestions are allowed. */
    requireSuggest: (found: FoundPoll): void => {
      if (mayUpdate(found) || !found.place) return;
      if (found.row.allow_user_suggested_options) requireCapability(found.place, 'cast-poll-vote');
      else requireOn(found.place, 'update-message', found.isOwn);
    },
    /** The poll under the lock of its channel and then its own. */
    lock: async (tx: Tx, poll: PollRow): Promise<PollRow> => {
      if (poll.cid !== null) await lockChannel(tx.db, poll.cid);
      return lockRow(tx, poll);
    },
    /** The same for somebody: found again as they stand under the lock. */
    lockFor: async (tx: Tx, actor: Actor, { row: poll, place, isOwn }: FoundPoll): Promise<FoundPoll> => {
      const acting = place && (await lockActor(tx, place, actor));
      return { row: await lockRow(tx, poll), place: acting?.place, isOwn };
    },
  };
};

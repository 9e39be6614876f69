import { ParleyError } from '@parley/protocol';
import type { Kysely } from 'kysely';
import { denied } from '../../access/place.ts';
import type { Database } from '../../db/schema.ts';
import type { Prepared } from './prepare.ts';
import { findTaken, type LockedChannel } from './send-store.ts';

/* The rules of a send that hold under the lock of its channel, for every way of storing it: commit-one.ts, whose statement
 * stores nothing where one of them refuses, commit-batch.ts and send-alone.ts. A lost membership is refused by
 * access/membership-check.ts. */

/** Why a channel takes no message. Undefined stands for a channel that is not there. */
export const refusalOfChannel = (
  cid: string,
  channel: LockedChannel | undefined,
): ParleyError | undefined => {
  if (!channel || channel.deleted_at !== null) return new ParleyError('NotFound', `No channel ${cid}`);
  return channel.takes_messages ? undefined : denied('send-message', cid);
};

type Owner = { cid: string | null; user_id: string };
type Taken = Owner & { pending?: boolean };

export const ownerOf = ({ cid, author }: Prepared) => ({ cid, user_id: author.row.id });

export const duplicateId = (id: string): ParleyError =>
  new ParleyError('DuplicateId', `The message id ${id} is taken`, [
    { path: 'message.id', message: 'is taken' },
  ]);

export const isSameOwner = (one: Owner, other: Owner): boolean =>
  one.cid === other.cid && one.user_id === other.user_id;

/** A taken id in the same channel by the same author stands for the same message; every other use of it is refused. The id of a
 * pending message is free for nothing but that message itself. */
export const refusalOfTaken = (id: string, taken: Taken, asked: Owner): ParleyError | undefined =>
  isSameOwner(taken, asked) && !taken.pending ? undefined : duplicateId(id);

/** Whether the message is stored already; refuses an id that stands for another one. `as`: the pending message itself comes. */
export const isRepeat = async (db: Kysely<Database>, message: Prepared, as?: 'pending'): Promise<boolean> => {
  const taken = await findTaken(db, message.id);
  if (!taken || (as && taken.pending && isSameOwner(taken, ownerOf(message)))) return false;
  const refusal = refusalOfTaken(message.id, taken, ownerOf(message));
  if (refusal) throw refusal;
  return true;
};

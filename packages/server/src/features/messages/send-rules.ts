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

export const ownerOf = ({ cid, author }: Prepared) => ({ cid, user_id: author.row.id });

/** A taken id in the same channel by the same author stands for the same message; every other use of it is refused. */
export const refusalOfTaken = (id: string, taken: Owner, asked: Owner): ParleyError | undefined =>
  taken.cid === asked.cid && taken.user_id === asked.user_id
    ? undefined
    : new ParleyError('DuplicateId', `The message id ${id} is taken`, [
        { path: 'message.id', message: 'is taken' },
      ]);

/** Whether the message is stored already; refuses an id that stands for another one. */
export const isRepeat = async (db: Kysely<Database>, message: Prepared): Promise<boolean> => {
  const taken = await findTaken(db, message.id);
  const refusal = taken && refusalOfTaken(message.id, taken, ownerOf(message));
  if (refusal) throw refusal;
  return taken !== undefined && !taken.pending;
};

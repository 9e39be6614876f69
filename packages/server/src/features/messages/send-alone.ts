import { ParleyError } from '@parley/protocol';
import type { MessageRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { lockMember } from '../members/store.ts';
import type { MessageHooks } from './hooks.ts';
import type { Hydrate } from './hydrate.ts';
import { publishMessage } from './message-event.ts';
import { createMessageRow } from './message-row.ts';
import { deletePending } from './pending-store.ts';
import type { Prepared } from './prepare.ts';
import { isRepeat, refusalOfChannel } from './send-rules.ts';
import {
  findLastSent,
  insertMessage,
  type LockedChannel,
  lockChannelForSend,
  markAuthorRead,
  moveChannel,
  noteSent,
} from './send-store.ts';
import { findMessage, recountReplies } from './store.ts';

/** Locks the channel, and refuses where it takes no messages or the author has lost the right since the first look. */
export const lockForSend = async (tx: Tx, message: Prepared): Promise<LockedChannel> => {
  const { cid, author, membershipCheck } = message;
  const channel = await lockChannelForSend(tx.db, cid);
  const refusal = refusalOfChannel(cid, channel);
  if (refusal || !channel) throw refusal;
  const lost = membershipCheck?.refusal(await lockMember(tx.db, cid, author.row.id));
  if (lost) throw lost;
  return channel;
};

/** Refuses who wrote too short a time ago in slow mode. */
const checkCoolDown = async (tx: Tx, message: Prepared, cooldown: number): Promise<void> => {
  if (cooldown === 0) return;
  const at = await findLastSent(tx.db, message.cid, message.author.row.id);
  if (at === undefined) return;
  const left = Math.ceil((Date.parse(at) + cooldown * 1000 - Date.parse(tx.now)) / 1000);
  if (left > 0)
    throw new ParleyError('CoolDown', `Slow mode: wait ${left} s`, [
      { path: 'seconds', message: String(left) },
    ]);
};

const refuseChanged = (message: Prepared, parent: MessageRow | undefined): void => {
  if (message.parent && (!parent || parent.deleted_at !== null))
    throw new ParleyError('InputInvalid', 'message.parent_id: names a deleted message', [
      { path: 'message.parent_id', message: 'names a deleted message' },
    ]);
};

type Deps = { kernel: Kernel; hydrate: Hydrate; hooks: MessageHooks };
/** The cooldown is in seconds; `as` says that a pending message is published. */
type Alone = { cooldown: number; as?: 'pending' };

/** Stores replies, quotes, polls, locations, pending messages, and sends in slow mode: they look at other rows, so each is a transaction
 * of its own. Undefined where the same message is stored already. */
export const sendAlone = (
  { kernel, hydrate, hooks }: Deps,
  message: Prepared,
  { cooldown, as }: Alone,
): Promise<MessageRow | undefined> =>
  kernel.write(async (tx) => {
    const channel = await lockForSend(tx, message);
    if (await isRepeat(tx.db, message, as)) return undefined;
    if (as && !(await deletePending(tx.db, message.id)))
      throw new ParleyError('NotFound', `No message ${message.id}`);
    await checkCoolDown(tx, message, cooldown);
    // It may have gone since it was looked at: only now, under the channel's lock, does it stay.
    if (message.parent) refuseChanged(message, await findMessage(tx.db, message.parent.id, message.cid));
    const row = createMessageRow(message, channel, tx.now);
    await insertMessage(tx.db, row);
    if (cooldown > 0) await noteSent(tx.db, row);
    for (const hook of hooks.inserted.answers) await hook(tx, row, message);
    await moveChannel(tx.db, channel);
    if (row.parent_id === null || row.show_in_channel) await markAuthorRead(tx.db, row);
    await publishMessage(tx, hydrate, { type: 'message.new', row });
    for (const hook of hooks.logged.answers) await hook(tx, row, message);
    const parent = message.parent
      ? await recountReplies(tx.db, { cid: message.cid, parentId: message.parent.id })
      : undefined;
    if (parent) await publishMessage(tx, hydrate, { type: 'message.updated', row: parent });
    if (parent) for (const hook of hooks.replied.answers) await hook(tx, row, parent);
    return row;
  });

import { limits, ParleyError } from '@parley/protocol';
import { lockChannel } from '../../access/place.ts';
import type { MessageRow } from '../../db/rows.ts';
import type { Kernel, Tx } from '../../kernel/kernel.ts';
import { lockMember } from '../members/store.ts';
import type { MessageHooks } from './hooks.ts';
import type { Hydrate } from './hydrate.ts';
import { publishMessage } from './message-event.ts';
import { placeMessage } from './placing.ts';
import type { Prepared } from './prepare.ts';
import { findMessage, isGoneId, recountReplies, takenId } from './store.ts';

/** The members row of the author moves with the message: who writes has read what came before. */
const markAuthorRead = async (tx: Tx, row: MessageRow): Promise<void> => {
  if (row.parent_id !== null && !row.show_in_channel) return;
  await tx.db
    .updateTable('members')
    .set({
      read_number: row.number,
      unread_from: null,
      last_read: row.created_at,
      last_read_message_id: row.id,
      read_version: row.seq * limits.marksPerEvent,
    })
    .where('cid', '=', row.cid)
    .where('user_id', '=', row.user_id)
    .execute();
};

/** The author may have been removed since the first look. */
const refuseLost = async (tx: Tx, { cid, author, standing }: Prepared): Promise<void> => {
  if (!standing) return;
  const refusal = standing.refusal(await lockMember(tx.db, cid, author.row.id));
  if (refusal) throw refusal;
};

const refuseDuplicate = (row: MessageRow, message: Prepared): void => {
  if (row.user_id !== message.author.row.id || row.cid !== message.cid) throw takenId(message.id);
};

/** The messages that stand say it of who wrote before the channel was slow, `send_times` of what was deleted since. */
const lastSent = async (tx: Tx, { cid, author }: Prepared): Promise<string | undefined> => {
  const userId = author.row.id;
  const [stored, noted] = [
    await tx.db
      .selectFrom('messages')
      .select((eb) => eb.fn.max('created_at').as('at'))
      .where('cid', '=', cid)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    await tx.db
      .selectFrom('send_times')
      .select('sent_at as at')
      .where('cid', '=', cid)
      .where('user_id', '=', userId)
      .executeTakeFirst(),
  ];
  return [stored?.at, noted?.at]
    .flatMap((at) => (at ? [at] : []))
    .sort()
    .at(-1);
};

const noteSent = (tx: Tx, { cid, user_id, created_at }: MessageRow) =>
  tx.db
    .insertInto('send_times')
    .values({ cid, user_id, sent_at: created_at })
    .onConflict((conflict) => conflict.columns(['cid', 'user_id']).doUpdateSet({ sent_at: created_at }))
    .execute();

/** Refuses who wrote too short a time ago in slow mode. */
const checkCoolDown = async (tx: Tx, message: Prepared, cooldown: number): Promise<void> => {
  if (cooldown === 0) return;
  const at = await lastSent(tx, message);
  if (at === undefined) return;
  const left = Math.ceil((Date.parse(at) + cooldown * 1000 - Date.parse(tx.now)) / 1000);
  if (left > 0)
    throw new ParleyError('CoolDown', `Slow mode: wait ${left} s`, [
      { path: 'seconds', message: String(left) },
    ]);
};

const insertMessage = async (tx: Tx, row: MessageRow): Promise<void> => {
  const { attachments, mentioned, marks, data, participants, reaction_groups, ...rest } = row;
  await tx.db
    .insertInto('messages')
    .values({
      ...rest,
      attachments: JSON.stringify(attachments),
      mentioned: JSON.stringify(mentioned),
      marks: marks && JSON.stringify(marks),
      data: JSON.stringify(data),
      participants: JSON.stringify(participants),
      reaction_groups: JSON.stringify(reaction_groups),
    })
    .execute();
};

const refuseChanged = (message: Prepared, parent: MessageRow | undefined): void => {
  if (message.parent && (!parent || parent.deleted_at !== null))
    throw new ParleyError('InputInvalid', 'message.parent_id: names a deleted message', [
      { path: 'message.parent_id', message: 'names a deleted message' },
    ]);
};

type Deps = { kernel: Kernel; hydrate: Hydrate; hooks: MessageHooks };

/** Replies, polls, locations, and sends in slow mode: these look at other rows, so each is a transaction of its own. */
export const sendAlone = (
  { kernel, hydrate, hooks }: Deps,
  message: Prepared,
  cooldown: number,
): Promise<{ row: MessageRow; repeated: boolean }> =>
  kernel.write(async (tx) => {
    const channel = await lockChannel(tx.db, message.cid);
    if (channel.frozen || channel.disabled)
      throw new ParleyError('NotAllowed', `Not allowed to send-message in ${message.cid}`);
    await refuseLost(tx, message);
    const stored = await findMessage(tx.db, message.id);
    if (stored) {
      refuseDuplicate(stored, message);
      return { row: stored, repeated: true };
    }
    if (await isGoneId(tx.db, message.id)) throw takenId(message.id);
    await checkCoolDown(tx, message, cooldown);
    // It may have gone since it was looked at: only now, under the channel's lock, does it stay.
    if (message.parent) refuseChanged(message, await findMessage(tx.db, message.parent.id));
    const row = placeMessage(message, channel, tx.now);
    await insertMessage(tx, row);
    if (cooldown > 0) await noteSent(tx, row);
    for (const hook of hooks.inserted.answers) await hook(tx, row, message);
    await tx.db
      .updateTable('channels')
      .set({ last_number: channel.last_number, last_message_at: channel.last_message_at })
      .where('cid', '=', message.cid)
      .execute();
    await markAuthorRead(tx, row);
    await publishMessage(tx, hydrate, { type: 'message.new', row });
    for (const hook of hooks.logged.answers) await hook(tx, row, message);
    const parent = message.parent ? await recountReplies(tx.db, message.parent.id) : undefined;
    if (parent) await publishMessage(tx, hydrate, { type: 'message.updated', row: parent });
    if (parent) for (const hook of hooks.replied.answers) await hook(tx, row, parent);
    return { row, repeated: false };
  });

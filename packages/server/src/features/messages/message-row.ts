import type { MessageRow } from '../../db/rows.ts';
import type { Prepared } from './prepare.ts';

/** The numbers of a channel while its row is locked; each new message moves them on. */
export type ChannelNumbers = { seq: number; last_number: number; last_message_at: string | null };

/** Fields that others add to a message later, as they are in a new one and in one of which nothing is left. */
export const untouched = {
  reply_count: 0,
  participants: [],
  reaction_groups: {},
  pinned_at: null,
  pinned_by: null,
  pin_expires: null,
  message_text_updated_at: null,
} satisfies Partial<MessageRow>;

/** Whether a message makes the channel unread for those who have not seen it. */
export const counts = (message: Prepared): boolean =>
  !message.silent && (message.parent === undefined || message.showInChannel);

/** Builds the row to store, with the next numbers of the channel. Time never runs back within a channel, whatever the clocks say. */
export const createMessageRow = (message: Prepared, numbers: ChannelNumbers, now: string): MessageRow => {
  const last = numbers.last_message_at;
  const createdAt = last !== null && last > now ? last : now;
  numbers.seq += 1;
  if (counts(message)) numbers.last_number += 1;
  if (message.parent === undefined || message.showInChannel) numbers.last_message_at = createdAt;
  return {
    ...untouched,
    id: message.id,
    cid: message.cid,
    user_id: message.author.row.id,
    text: message.text,
    type: message.type,
    attachments: message.attachments,
    mentioned: message.mentioned,
    marks: message.marks,
    parent_id: message.parent?.id ?? null,
    show_in_channel: message.showInChannel,
    quoted_message_id: message.quoted?.id ?? null,
    poll_id: message.pollId ?? null,
    has_location: message.location !== undefined,
    silent: message.silent,
    data: message.data,
    number: numbers.last_number,
    seq: numbers.seq,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
    deleted_by_other: false,
  };
};

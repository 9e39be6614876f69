import { type Static, Type } from 'typebox';
import { doc, optional, record } from '../record.ts';
import { Cid, Id, open, Time } from '../schema.ts';
import { AttachmentSchema, MessageSchema } from './message-record.ts';

const draft = Type.Object({
  cid: doc('The channel of the draft.', Cid),
  parent_id: optional('The parent message, for a draft in a thread.', Id),
  message: doc(
    'The content; other keys are custom data of the message to be.',
    open({
      text: doc('The text.', Type.String()),
      attachments: doc('The attachments.', Type.Array(AttachmentSchema)),
      mentioned_users: doc('The ids of the users to mention.', Type.Array(Id)),
      quoted_message_id: optional('The id of the message to quote.', Id),
    }),
  ),
  quoted_message: optional('The message to quote.', MessageSchema),
  version: doc('Grows with every write and never repeats.', Type.Integer()),
  created_at: doc('When the draft was first stored.', Time),
  updated_at: doc('When the draft was last stored.', Time),
});
/** A message that its author has begun and not sent, in a channel or in a thread of it. */
export interface Draft extends Static<typeof draft> {}
export const DraftSchema = record<Draft>('Draft', draft);

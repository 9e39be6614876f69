import { type Static, Type } from 'typebox';
import { Cid, Id, open, Time } from '../schema.ts';
import { AttachmentSchema, MessageSchema } from './messages.ts';

/** What its author has written and not sent, in a channel or in a thread of it. */
export const DraftSchema = Type.Object({
  cid: Cid,
  parent_id: Type.Optional(Id),
  message: open({
    text: Type.String(),
    attachments: Type.Array(AttachmentSchema),
    mentioned_users: Type.Array(Id),
    quoted_message_id: Type.Optional(Id),
  }),
  quoted_message: Type.Optional(MessageSchema),
  /** Grows with every write and never repeats. */
  version: Type.Integer(),
  created_at: Time,
  updated_at: Time,
});
export type Draft = Static<typeof DraftSchema>;

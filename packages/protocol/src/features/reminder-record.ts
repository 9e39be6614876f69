import { type Static, Type } from 'typebox';
import { Cid, Id, Time } from '../schema.ts';

export const reminderProperties = {
  message_id: Id,
  cid: Cid,
  user_id: Id,
  /** Left out: saved for later, without a time. */
  remind_at: Type.Optional(Time),
  /** What its owner wants to remember; nobody else sees it. */
  note: Type.Optional(Type.String()),
  /** When it fell due and was told; it is overdue from then on. */
  notified_at: Type.Optional(Time),
  created_at: Time,
  updated_at: Time,
};

/** A reminder as the message carries it in replies to its owner. */
export const OwnReminderSchema = Type.Object(reminderProperties);
export type OwnReminder = Static<typeof OwnReminderSchema>;

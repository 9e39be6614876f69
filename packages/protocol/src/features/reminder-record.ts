import { type Static, Type } from 'typebox';
import { doc, optional, record } from '../record.ts';
import { Cid, Id, Time } from '../schema.ts';

export const reminderProperties = {
  message_id: doc('The message to be reminded of.', Id),
  cid: doc('The channel of the message.', Cid),
  user_id: doc('The owner of the reminder.', Id),
  remind_at: optional('When to remind; absent for a message that is only saved for later.', Time),
  note: optional('A note that only the owner sees.', Type.String()),
  notified_at: optional(
    'When the reminder fell due and its owner was notified; it is overdue from then on.',
    Time,
  ),
  created_at: doc('When the reminder was created.', Time),
  updated_at: doc('When the reminder last changed.', Time),
};

const ownReminder = Type.Object({ ...reminderProperties });
/** A reminder as the message carries it in replies to its owner. */
export interface OwnReminder extends Static<typeof ownReminder> {}
export const OwnReminderSchema = record<OwnReminder>('OwnReminder', ownReminder);

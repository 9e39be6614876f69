import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { Cid, closed, Id, Next, nullable, queryProperties, Time } from '../schema.ts';
import { MessageSchema } from './messages.ts';
import { reminderProperties } from './reminder-record.ts';

export const ReminderSchema = Type.Object({
  ...reminderProperties,
  /** The message as everyone sees it. */
  message: Type.Optional(MessageSchema),
});
export type Reminder = Static<typeof ReminderSchema>;

const Note = Type.String({ maxLength: limits.reminderNoteLength });
const reply = Type.Object({ reminder: ReminderSchema });

export const remindersCalls = {
  'POST /messages/{id}/reminders': call({
    side: 'CS',
    limit: 'write',
    summary: 'Be reminded of a message, or save it for later without a time; the same again returns it (200)',
    status: 201,
    body: closed({
      remind_at: Type.Optional(Time),
      note: Type.Optional(Note),
    }),
    reply,
  }),
  'PATCH /messages/{id}/reminders': call({
    side: 'CS',
    limit: 'write',
    summary: 'Change the time or the note of a reminder; null takes it away, what is left out stays',
    body: closed({
      remind_at: Type.Optional(nullable(Time)),
      note: Type.Optional(nullable(Note)),
    }),
    reply,
  }),
  'DELETE /messages/{id}/reminders': call({
    side: 'CS',
    limit: 'write',
    summary: 'Forget a reminder',
    reply: Type.Object({}),
  }),
  'POST /reminders/query': call({
    side: 'CS',
    limit: 'read',
    summary: 'The own reminders on messages that can be read, the next to fall due first',
    body: closed(queryProperties),
    reply: Type.Object({ reminders: Type.Array(ReminderSchema), next: Next }),
  }),
};

export const remindersEvents = {
  'reminder.created': Type.Object({ reminder: ReminderSchema }),
  'reminder.updated': Type.Object({ reminder: ReminderSchema }),
  'reminder.deleted': Type.Object({
    reminder: Type.Object({ message_id: Id, cid: Cid, user_id: Id, updated_at: Time }),
  }),
  'notification.reminder_due': Type.Object({ reminder: ReminderSchema }),
};

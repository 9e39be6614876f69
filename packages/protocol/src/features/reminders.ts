import { type Static, Type } from 'typebox';
import { call } from '../call.ts';
import { limits } from '../limits.ts';
import { doc, optional, record } from '../record.ts';
import { Cid, closed, Id, Next, nullable, queryProperties, Time } from '../schema.ts';
import { MessageSchema } from './message-record.ts';
import { reminderProperties } from './reminder-record.ts';

const reminder = Type.Object({
  ...reminderProperties,
  message: optional('The message as everyone sees it.', MessageSchema),
});
export interface Reminder extends Static<typeof reminder> {}
const ReminderSchema = record<Reminder>('Reminder', reminder);

const Note = Type.String({ maxLength: limits.reminderNoteLength });
const reply = Type.Object({ reminder: doc('The reminder.', ReminderSchema) });
const reminderEvent = Type.Object({ reminder: doc('The reminder as it is now.', ReminderSchema) });

export const remindersCalls = {
  'POST /messages/{id}/reminders': call({
    side: 'CS',
    limit: 'write',
    summary: 'Be reminded of a message, or save it for later without a time; the same again returns it (200)',
    status: 201,
    body: closed({
      remind_at: optional('When to remind; left out to save the message for later.', Time),
      note: optional('A note that only the owner sees.', Note),
    }),
    reply,
  }),
  'PATCH /messages/{id}/reminders': call({
    side: 'CS',
    limit: 'write',
    summary: 'Change the time or the note of a reminder; null takes it away, what is left out stays',
    body: closed({
      remind_at: optional('The new time; null removes it.', nullable(Time)),
      note: optional('The new note; null removes it.', nullable(Note)),
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
    body: closed({ ...queryProperties }),
    reply: Type.Object({ reminders: doc('The reminders found.', Type.Array(ReminderSchema)), next: Next }),
  }),
};

export const remindersEvents = {
  'reminder.created': reminderEvent,
  'reminder.updated': reminderEvent,
  'reminder.deleted': Type.Object({
    reminder: doc(
      'The deleted reminder.',
      Type.Object({
        message_id: doc('The message of the reminder.', Id),
        cid: doc('The channel of the message.', Cid),
        user_id: doc('The owner of the reminder.', Id),
        updated_at: doc('When the reminder was deleted.', Time),
      }),
    ),
  }),
  'notification.reminder_due': reminderEvent,
};

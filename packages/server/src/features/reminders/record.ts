import type { Message, OwnReminder, Reminder } from '@parley/protocol';
import type { ReminderRow } from './store.ts';

export const toOwnReminder = (row: ReminderRow): OwnReminder => ({
  message_id: row.message_id,
  cid: row.cid,
  user_id: row.user_id,
  ...(row.remind_at === null ? {} : { remind_at: row.remind_at }),
  ...(row.note === null ? {} : { note: row.note }),
  ...(row.notified_at === null ? {} : { notified_at: row.notified_at }),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const toReminder = (row: ReminderRow, message: Message | undefined): Reminder => ({
  ...toOwnReminder(row),
  ...(message ? { message } : {}),
});

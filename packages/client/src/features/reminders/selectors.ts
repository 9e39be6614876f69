import type { Reminder } from '@parley/protocol';

export type ReminderGroups = {
  overdue: readonly Reminder[];
  upcoming: readonly Reminder[];
  saved: readonly Reminder[];
};

const byTime = (key: 'remind_at' | 'created_at') => (a: Reminder, b: Reminder) =>
  (a[key] ?? '').localeCompare(b[key] ?? '');

/** Overdue reminders are those that were notified; they and the saved ones are listed newest first, upcoming ones by their time. */
export const groupReminders = (all: ReadonlyMap<string, Reminder>): ReminderGroups => {
  const list = [...all.values()];
  const timed = list.filter((reminder) => reminder.remind_at !== undefined).sort(byTime('remind_at'));
  return {
    overdue: timed.filter((reminder) => reminder.notified_at !== undefined).reverse(),
    upcoming: timed.filter((reminder) => reminder.notified_at === undefined),
    saved: list
      .filter((reminder) => reminder.remind_at === undefined)
      .sort(byTime('created_at'))
      .reverse(),
  };
};

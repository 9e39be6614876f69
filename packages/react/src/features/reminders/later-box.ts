import type { OwnReminder } from '@parley/client/reminders';

/** What waits for a time, as rows and the sidebar need it; the keeper fills it once it has come. */
export type Later = {
  /** By the id of the message. */
  reminders: ReadonlyMap<string, OwnReminder>;
  overdue: number;
  scheduled: number;
};

export const nothingLater: Later = { reminders: new Map(), overdue: 0, scheduled: 0 };

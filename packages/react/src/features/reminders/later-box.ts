import type { OwnReminder } from '@parley/client/reminders';
import { userBox } from '../../chat/readables.ts';

/** Reminders and scheduled messages, as rows and the sidebar need them; `LaterSync` fills it once they are loaded. */
export type Later = {
  /** The reminders by the id of their message. */
  reminders: ReadonlyMap<string, OwnReminder>;
  overdue: number;
  scheduled: number;
};

const nothingLater: Later = { reminders: new Map(), overdue: 0, scheduled: 0 };

export const laterBox = userBox('later-box', nothingLater);

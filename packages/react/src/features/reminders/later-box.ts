import type { Feature } from '@parley/client';
import type { OwnReminder } from '@parley/client/reminders';
import { type Box, createBox } from '../../chat/readables.ts';

/** Reminders and scheduled messages, as rows and the sidebar need them; `LaterKeeper` fills it once they are loaded. */
export type Later = {
  /** By the id of the message. */
  reminders: ReadonlyMap<string, OwnReminder>;
  overdue: number;
  scheduled: number;
};

const nothingLater: Later = { reminders: new Map(), overdue: 0, scheduled: 0 };

export const laterBox: Feature<Box<Later>> = {
  name: 'later-box',
  create: ({ resets }) => {
    const box = createBox(nothingLater);
    resets.push(() => box.set(nothingLater));
    return box;
  },
};

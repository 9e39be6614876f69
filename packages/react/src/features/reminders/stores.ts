import type { ParleyClient } from '@parley/client';
import { createReminders, type Reminders } from '@parley/client/reminders';
import { createScheduledMessages, type ScheduledMessages } from '@parley/client/scheduled-messages';

type Stores = { reminders: Reminders; scheduled: ScheduledMessages };

const made = new WeakMap<ParleyClient, Stores>();

const browserStorage = (): Storage | undefined => {
  try {
    return globalThis.localStorage;
  } catch {
    // Forbidden by the browser's settings: what was told is known while the page is open.
    return undefined;
  }
};

/** What waits for a time: one memory for all that shows it, for as long as the client lives. */
export const laterOf = (client: ParleyClient): Stores => {
  const known = made.get(client);
  if (known) return known;
  const stores = {
    reminders: createReminders(client, { storage: browserStorage() }),
    scheduled: createScheduledMessages(client),
  };
  made.set(client, stores);
  return stores;
};

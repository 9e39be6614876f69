/** `@parley/client/reminders`: what the own user asked to be reminded of, and what they saved for later. */
import type { Reminder, ReplyOf } from '@parley/protocol';
import { storageOf } from '../../browser.ts';
import type { Feature, FeatureCore } from '../../client.ts';
import type { QueryFor } from '../../http/query.ts';
import { derived, type Readable, type Unsubscribe } from '../../readable.ts';
import { followMessages } from '../../sync/held-messages.ts';
import { createOwnRecords, type OwnRecords } from '../../sync/own-records.ts';
import { leaving } from '../channels/load.ts';
import { createLastShown } from './last-shown.ts';
import { groupReminders, type ReminderGroups } from './selectors.ts';
import { createWrites, type ReminderWish } from './writes.ts';

export type { OwnReminder, Reminder } from '@parley/protocol';
export { parseReminder, type ReminderWords } from './parse-when.ts';
export { groupReminders, type ReminderGroups } from './selectors.ts';
export type { ReminderWish } from './writes.ts';

export type ReminderQuery = QueryFor<'POST /reminders/query'>;
export type ReminderPage = ReplyOf<'POST /reminders/query'>;

export type Reminders = {
  /** The key is the id of the message. */
  all: Readable<ReadonlyMap<string, Reminder>>;
  isLoaded: Readable<boolean>;
  groups: Readable<ReminderGroups>;
  /** Sets a reminder, or changes the one that is there. */
  set(messageId: string, wish?: ReminderWish): Promise<Reminder>;
  /** Deletes the reminder of a message. */
  delete(messageId: string): Promise<void>;
  /** Loads the reminders again. */
  reload(): Promise<void>;
  /** The own reminders by filter and page by page; the next to fall due first. */
  query(query?: ReminderQuery): Promise<ReminderPage>;
  /** Calls the listener with each reminder that falls due, also those that did while this device was away. */
  onDue(listener: (reminder: Reminder) => void): Unsubscribe;
};

/** The messages of the reminders follow their events. */
const followCopies = ({ events }: FeatureCore, { changeAll }: OwnRecords<Reminder>): void => {
  followMessages(events.on, (change) =>
    changeAll((reminder) => {
      const message = reminder.message && change(reminder.message);
      if (message === reminder.message) return reminder;
      return message && { ...reminder, message };
    }),
  );
};

const createReminders = (core: FeatureCore): Reminders => {
  const { http, events } = core;
  const listeners = new Set<(reminder: Reminder) => void>();
  const lastShown = createLastShown(core, storageOf(core.environment.storage));
  const notify = (reminder: Reminder): void => {
    lastShown.write(reminder.notified_at ?? '');
    for (const listener of listeners) listener(reminder);
  };
  /** Reminders that were overdue before the first visit of this device are in the list and notify nobody. */
  const notifyMissed = (found: readonly Reminder[]): void => {
    const since = lastShown.read();
    const notified = found.flatMap(({ notified_at }) => notified_at ?? []).sort();
    const missed = since === '' ? [] : found.filter(({ notified_at }) => (notified_at ?? '') > since);
    lastShown.write(notified.at(-1) ?? new Date(0).toISOString());
    for (const reminder of missed) for (const listener of listeners) listener(reminder);
  };
  const records = createOwnRecords<Reminder>({
    core,
    keyOf: ({ message_id }) => message_id,
    load: async (next) => {
      const body = { limit: 100, ...(next !== undefined && { next }) };
      const { reminders, next: more } = await http.call('POST /reminders/query', { body });
      return { records: reminders, next: more };
    },
    onLoaded: notifyMissed,
  });
  const { all, take, drop, changeAll, reload } = records;
  followCopies(core, records);
  core.events.listen(
    leaving((left) => {
      changeAll((reminder) => (reminder.cid === left ? undefined : reminder));
      // A channel that is open to all can still be read.
      reload();
    }),
  );
  events.listen({
    'reminder.created': ({ reminder }) => take(reminder),
    'reminder.updated': ({ reminder }) => take(reminder),
    'reminder.deleted': ({ reminder }) => drop(reminder.message_id, reminder.updated_at),
    'notification.added_to_channel': reload,
    'notification.reminder_due': ({ reminder }) => {
      take(reminder);
      notify(reminder);
    },
  });

  return {
    all,
    isLoaded: records.isLoaded,
    groups: derived(all, groupReminders),
    ...createWrites(http, records),
    reload: records.load,
    query: (query = {}) => http.call('POST /reminders/query', { body: query }),
    onDue: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** The own reminders, kept equal to the server's. */
export const reminders: Feature<Reminders> = { name: 'reminders', create: createReminders };

import type { ParleyClient } from '../../client.ts';

/** The part of the browser's `localStorage` that reminders use. */
export type ReminderStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** The last time that was told on this device, by user. */
export const createMemory = (client: ParleyClient, storage: ReminderStorage | undefined) => {
  let latest = '';
  const key = () => `parley reminders ${client.me.get()?.id ?? ''}`;
  return {
    read: (): string => {
      try {
        latest = [latest, storage?.getItem(key()) ?? ''].sort().at(-1) ?? '';
      } catch {
        // Forbidden by the browser's settings: this session's memory is enough.
      }
      return latest;
    },
    write: (at: string): void => {
      if (at > latest) latest = at;
      try {
        storage?.setItem(key(), latest);
      } catch {
        // As above.
      }
    },
  };
};

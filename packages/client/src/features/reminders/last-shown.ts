import type { DeviceStorage } from '../../browser.ts';
import type { Core } from '../../core.ts';

/** The time of the last reminder that this device showed, by user. */
export const createLastShown = ({ me, resets }: Core, storage: DeviceStorage | undefined) => {
  let latest = '';
  resets.push(() => {
    latest = '';
  });
  const key = () => `parley reminders ${me.get()?.id ?? ''}`;
  return {
    read: (): string => {
      try {
        latest = [latest, storage?.getItem(key()) ?? ''].sort().at(-1) ?? '';
      } catch {
        // Forbidden by the browser's settings: the time of this session is enough.
      }
      return latest;
    },
    write: (at: string): void => {
      if (at > latest) latest = at;
      try {
        storage?.setItem(key(), latest);
      } catch {
        // The storage is full or forbidden: the time of this session is enough.
      }
    },
  };
};

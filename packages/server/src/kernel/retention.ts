import { deleteOldEvents } from '../events/event-log.ts';
import type { Kernel } from './kernel.ts';

const keepDays = 30;
const everyMs = 60 * 60 * 1000;

/** Deletes events older than 30 days, once an hour; clients with an older cursor get a fresh snapshot. */
export const startRetention = (kernel: Kernel): (() => void) => {
  const run = async () => {
    try {
      await deleteOldEvents(kernel.db, keepDays);
    } catch (error) {
      kernel.log.error({ err: error }, 'event retention failed');
    }
  };
  const timer = setInterval(() => void run(), everyMs);
  timer.unref();
  return () => clearInterval(timer);
};

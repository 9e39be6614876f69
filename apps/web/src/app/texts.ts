import { defineTexts } from '@parley/react';

/** The texts of the app around the kit. */
export const appTexts = defineTexts('app', {
  threads: 'Threads',
  drafts: 'Drafts',
  reminders: 'Reminders',
  scheduled: 'Scheduled',
});

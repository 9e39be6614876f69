import { defineTexts } from '../../i18n/catalogue.ts';

/** The name of the inbox, which is shown while the rest of it loads. */
export const inboxTexts = defineTexts('threads', { threads: 'Threads' });

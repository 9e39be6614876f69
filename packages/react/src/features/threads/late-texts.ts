import { defineTexts } from '../../i18n/catalogue.ts';

export const lateThreadTexts = defineTexts('threads', {
  replyCount: { one: '{count} reply', other: '{count} replies' },
  threads: 'Threads',
  threadsEmpty: 'No threads yet',
  threadsEmptyHint: 'Threads that you begin or answer in are here.',
  rename: 'Rename thread',
  renameTitle: 'Name of this thread',
  renameHint: 'Everyone sees it. Leave it empty to show the first message instead.',
  renameRefused: 'The name was not saved',
});

import { defineTexts } from '../../i18n/catalogue.ts';

export const lateThreadTexts = defineTexts('threads', {
  showMore: 'Show more',
  threadsEmpty: 'No threads yet',
  threadsEmptyHint: 'Threads you start or reply to appear here.',
  rename: 'Rename thread',
  renameTitle: 'Thread name',
  renameHint: 'Everyone sees it. Leave it empty to show the first message instead.',
  renameRefused: "Couldn't save the name. Try again.",
});

import { defineTexts } from '../../i18n/catalogue.ts';

export const threadTexts = defineTexts('threads', {
  replyCount: { one: '{count} reply', other: '{count} replies' },
  noReplies: 'No replies yet',
  alsoToChannel: 'Also send to {name}',
});

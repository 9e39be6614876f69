import { defineTexts } from '../../i18n/catalogue.ts';

export const threadTexts = defineTexts('threads', {
  noReplies: 'No replies yet',
  alsoToChannel: 'Also send to {name}',
});

import { defineTexts } from '../../i18n/catalogue.ts';

export const draftTexts = defineTexts('drafts', {
  draftFiles: { one: '{count} attachment', other: '{count} attachments' },
  draftMerged: 'Merged with what you wrote on another device',
});

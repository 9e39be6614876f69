import { defineTexts } from '../../i18n/catalogue.ts';

export const lateDraftTexts = defineTexts('drafts', {
  drafts: 'Drafts',
  draftsEmpty: 'No drafts',
  draftsEmptyHint: 'What you write and do not send is kept here, on all your devices.',
  copyText: 'Copy text',
  draftDelete: 'Delete draft',
  draftGone: 'This conversation is gone',
});

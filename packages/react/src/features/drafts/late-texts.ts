import { defineTexts } from '../../i18n/catalogue.ts';

export const lateDraftTexts = defineTexts('drafts', {
  drafts: 'Drafts',
  draftsEmpty: 'No drafts',
  draftsEmptyHint: "Messages you haven't sent yet are kept here, on all your devices.",
  copyText: 'Copy text',
  draftDelete: 'Delete draft',
  draftGone: 'This conversation no longer exists',
});

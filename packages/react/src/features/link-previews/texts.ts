import { defineTexts } from '../../i18n/catalogue.ts';

export const previewTexts = defineTexts('linkPreviews', {
  previews: 'Link previews',
  loading: 'Looking up {host}…',
  added: 'Preview added: {title}',
  remove: 'Remove the preview of {title}',
});

/** The words of the links found while typing. They come with the first link. */
export const previewsEnglish = {
  previews: 'Link previews',
  loading: 'Looking up {host}…',
  added: 'Preview added: {title}',
  remove: 'Remove the preview of {title}',
};
export type PreviewsTexts = typeof previewsEnglish;

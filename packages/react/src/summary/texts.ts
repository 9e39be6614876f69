import { defineTexts } from '../i18n/catalogue.ts';

export const attachmentTexts = defineTexts('attachments', {
  location: 'Location',
  liveLocation: 'Live location',
  photoCount: { one: 'Photo', other: '{count} photos' },
  videoCount: { one: 'Video', other: '{count} videos' },
  mediaCount: '{count} photos and videos',
  voiceCount: { one: 'Voice message', other: '{count} voice messages' },
  audioCount: { one: 'Audio', other: '{count} audio files' },
  fileCount: { one: 'File', other: '{count} files' },
});

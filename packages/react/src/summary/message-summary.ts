import type { Message } from '@parley/client';
import type { TextOf } from '../i18n/text.ts';
import { wordsOfAttachments } from './attachment-words.ts';
import type { attachmentTexts } from './texts.ts';

type Summarised = Pick<Message, 'text' | 'poll' | 'shared_location'> & Partial<Pick<Message, 'attachments'>>;

/** A message in one line: its text, or a few words about its poll, location or attachments. */
export const summaryOf = (message: Summarised, textOf: TextOf<typeof attachmentTexts>): string => {
  const { text, poll, shared_location: place, attachments = [] } = message;
  if (text !== '') return text;
  if (poll) return `📊 ${poll.name}`;
  if (place) return `📍 ${textOf(place.end_at === undefined ? 'location' : 'liveLocation')}`;
  return wordsOfAttachments(attachments, textOf);
};

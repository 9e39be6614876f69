import type { Message } from '@parley/client';
import type { Translate } from '../../i18n/text.ts';
import { wordsOfAttachments } from '../attachments/attachment-words.ts';

type Said = Pick<Message, 'text' | 'poll'> & Partial<Pick<Message, 'attachments'>>;

/** The words of a message for places that show one line; those of its poll or its files where it has none of its own. */
export const saidIn = ({ text, poll, attachments = [] }: Said, say: Translate): string => {
  if (text !== '') return text;
  return poll ? `📊 ${poll.name}` : wordsOfAttachments(attachments, say);
};

import type { Message } from '@parley/client';
import type { Translate } from '../../i18n/text.ts';

/** The words of a message for places that show one line; those of what it carries where it has none of its own. */
export const saidIn = (
  { text, poll, shared_location: place }: Pick<Message, 'text' | 'poll' | 'shared_location'>,
  say: Translate,
): string => {
  if (text !== '') return text;
  if (poll) return `📊 ${poll.name}`;
  return place ? `📍 ${say(place.end_at === undefined ? 'location' : 'liveLocation')}` : '';
};

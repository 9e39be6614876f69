import type { Message } from '@parley/client';

/** The words of a message for places that show one line; those of its poll where it has none of its own. */
export const saidIn = ({ text, poll }: Pick<Message, 'text' | 'poll'>): string =>
  text === '' && poll ? `📊 ${poll.name}` : text;

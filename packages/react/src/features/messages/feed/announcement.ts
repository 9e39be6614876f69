import { type Message, selectUserName } from '@parley/client';
import type { TextOf } from '../../../i18n/text.ts';
import type { messageTexts } from '../texts.ts';

const nameOf = ({ user }: Message): string => (user ? selectUserName(user) : '');

type Options = {
  text: TextOf<typeof messageTexts>;
  /** The words of one message. */
  words: (message: Message) => string;
  list: (names: readonly string[]) => string;
  /** The announcement before. */
  last?: string;
};

/**
 * One message as its text; several as their number and their authors. The same words twice in a row change nothing on the page and
 * would not be read out: a space, which is not read out, sets them apart.
 */
export const announcement = (messages: readonly Message[], { text, words, list, last }: Options): string => {
  const [first] = messages;
  if (!first) return '';
  const names = [...new Set(messages.map(nameOf))];
  const next =
    messages.length === 1
      ? text('announceOne', { name: nameOf(first), text: words(first) })
      : text('announceMany', { count: messages.length, names: list(names) });
  return next === last ? `${next}\u00a0` : next;
};

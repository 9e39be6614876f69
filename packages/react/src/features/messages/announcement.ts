import { type Message, selectUserName } from '@parley/client';
import type { TextOf } from '../../i18n/text.ts';
import type { messageTexts } from './texts.ts';

const nameOf = ({ user }: Message): string => (user ? selectUserName(user) : '');

type Options = {
  text: TextOf<typeof messageTexts>;
  /** The words of one message. */
  words: (message: Message) => string;
  list: (names: readonly string[]) => string;
};

/** One message as its text; several as their number and their authors. */
export const announcement = (messages: readonly Message[], { text, words, list }: Options): string => {
  const [first] = messages;
  if (!first) return '';
  if (messages.length === 1) return text('announceOne', { name: nameOf(first), text: words(first) });
  const names = [...new Set(messages.map(nameOf))];
  return text('announceMany', { count: messages.length, names: list(names) });
};

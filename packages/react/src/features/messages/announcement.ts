import { type Message, selectUserName } from '@parley/client';
import type { Translate } from '../../i18n/english.ts';
import { saidIn } from './said-in.ts';

const nameOf = ({ user }: Message): string => (user ? selectUserName(user) : '');

/** One message word for word; several as their number and their authors. */
export const announcement = (
  messages: readonly Message[],
  text: Translate,
  list: (names: readonly string[]) => string,
): string => {
  const [first] = messages;
  if (!first) return '';
  if (messages.length === 1) return text('announceOne', { name: nameOf(first), text: saidIn(first, text) });
  const names = [...new Set(messages.map(nameOf))];
  return text('announceMany', { n: messages.length, names: list(names) });
};

import type { ReactNode } from 'react';
import type { TextOf } from '../../../i18n/text.ts';
import {
  IconClock,
  IconCopy,
  IconEdit,
  IconLink,
  IconPin,
  IconReply,
  IconThread,
  IconTrash,
} from '../../../ui/icons.tsx';
import type { MenuAction } from '../../../ui/menu.tsx';
import type { messageTexts } from '../texts.ts';

type Act = (() => void) | undefined;

/** The handlers of the actions on a message; an action without a handler is not offered. */
export type MessageHandlers = {
  onReact?: ((emoji: string) => void) | undefined;
  onReply?: Act;
  onReplyInThread?: Act;
  onEdit?: Act;
  onCopy?: Act;
  onPin?: Act;
  isPinned?: boolean | undefined;
  onPinUntil?: Act;
  onCopyLink?: Act;
  onDelete?: Act;
  /** Draws with further entries of the menu, which stand before the last one. */
  withMore?: ((draw: (more: readonly MenuAction[]) => ReactNode) => ReactNode) | undefined;
};

type Label =
  | 'reply'
  | 'replyInThread'
  | 'edit'
  | 'copyText'
  | 'copyLink'
  | 'pin'
  | 'unpin'
  | 'pinUntil'
  | 'delete';
type Entry = readonly [group: string, id: string, label: Label, Icon: typeof IconReply, onSelect: Act];

const entriesOf = (handlers: MessageHandlers): readonly Entry[] => [
  ['answer', 'reply', 'reply', IconReply, handlers.onReply],
  ['answer', 'thread', 'replyInThread', IconThread, handlers.onReplyInThread],
  ['text', 'edit', 'edit', IconEdit, handlers.onEdit],
  ['text', 'copy', 'copyText', IconCopy, handlers.onCopy],
  ['text', 'link', 'copyLink', IconLink, handlers.onCopyLink],
  ['pin', 'pin', handlers.isPinned ? 'unpin' : 'pin', IconPin, handlers.onPin],
  ['pin', 'pin-until', 'pinUntil', IconClock, handlers.onPinUntil],
];

const toActions = (entries: readonly Entry[], text: TextOf<typeof messageTexts>): MenuAction[] =>
  entries.flatMap(([group, id, label, Icon, onSelect]) =>
    onSelect ? [{ group, id, label: text(label), icon: <Icon size={18} />, onSelect }] : [],
  );

/** The actions that a message offers, by the handlers that are given. */
export function messageActions(
  handlers: MessageHandlers,
  text: TextOf<typeof messageTexts>,
  more: readonly MenuAction[] = [],
): readonly MenuAction[] {
  const removal = toActions([['delete', 'delete', 'delete', IconTrash, handlers.onDelete]], text);
  return [
    ...toActions(entriesOf(handlers), text),
    ...more,
    ...removal.map((action) => ({ ...action, danger: true })),
  ];
}

/** Whether a message offers anything. Other features add entries only to messages that were sent. */
export const hasActions = (handlers: MessageHandlers, state: string): boolean =>
  Boolean(handlers.onReact ?? handlers.onDelete ?? (state === 'sent' && handlers.withMore)) ||
  entriesOf(handlers).some((entry) => entry[4]);

/** Draws with all actions that a message offers, those of other features included. A menu that is open while its message is sent
 * stays mounted, because `withMore` is there before and after. */
export const drawActions = (
  handlers: MessageHandlers,
  text: TextOf<typeof messageTexts>,
  draw: (actions: readonly MenuAction[]) => ReactNode,
): ReactNode => {
  const { withMore = (all) => all([]) } = handlers;
  return withMore((more) => draw(messageActions(handlers, text, more)));
};

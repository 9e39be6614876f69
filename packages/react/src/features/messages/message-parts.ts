import type { ChannelState, VisibleMessage } from '@parley/client';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { MessageItemProps, MessageMarks, PartActs } from './message-item-props.ts';
import type { MessageItemView } from './message-items.ts';

/** Wraps the opening of a dialog so that the focus returns to the row when the dialog is closed. */
export type Opens = (open: (message: VisibleMessage) => void) => (message: VisibleMessage) => void;

/** An addition of another feature to messages. `features/all.tsx` lists them, in the order in which they are drawn. */
export type MessagePart = {
  name: string;
  /** Drawn inside the bubble, above the text. Only the first part that draws something is used. */
  above?: (message: VisibleMessage) => ReactNode;
  /** The same below the text. */
  below?: (message: VisibleMessage) => ReactNode;
  /** Drawn under the bubble. */
  Footer?: ComponentType<MessageItemProps>;
  /** Hook: entries for the menu of a message. */
  useMenu?: (props: MessageItemProps) => MenuAction | readonly MenuAction[];
  /** Hook: actions of rows and the dialogs that they open. The actions stay the same object from render to render. */
  useActs?: (opens: Opens) => { acts: Partial<PartActs>; dialog: ReactNode };
  /** The message of a channel that carries marks, with these. */
  marksIn?: (state: ChannelState) => { messageId: string; marks: MessageMarks } | undefined;
  /** A line between messages. */
  separator?: (item: MessageItemView) => ReactNode;
  /** Wraps a list of messages. */
  Frame?: ComponentType<{ children: ReactNode }>;
};

/** The list of a provider never changes, so that the hooks of parts run in the same order at every render. */
export const MessageParts = createContext<readonly MessagePart[]>([]);

export const useMessageParts = (): readonly MessagePart[] => {
  // Refuses a message outside a provider, which would lack all its parts.
  useClient();
  return useContext(MessageParts);
};

/** The first answer of a part. */
export const firstOf = <T>(
  parts: readonly MessagePart[],
  ask: (part: MessagePart) => T | undefined,
): T | undefined => {
  for (const part of parts) {
    const answer = ask(part);
    if (answer !== undefined) return answer;
  }
  return undefined;
};

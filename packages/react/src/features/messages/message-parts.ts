import type { ChannelState, VisibleMessage } from '@parley/client';
import { type ComponentType, createContext, type ReactNode, useContext } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import type { Supplier } from '../../ui/collect.tsx';
import type { MenuAction } from '../../ui/menu.tsx';
import type { MessageItemProps, MessageMarks } from './message-item-props.ts';
import type { MessageItemView } from './message-items.ts';

/** An addition of another feature to messages. `features/all.tsx` lists them, in the order in which they are drawn. */
export type MessagePart = {
  name: string;
  /** Drawn inside the bubble, above the text. Only the first part that draws something is used. */
  above?: (message: VisibleMessage) => ReactNode;
  /** The same below the text. */
  below?: (message: VisibleMessage) => ReactNode;
  /** Drawn under the bubble. */
  Footer?: ComponentType<MessageItemProps>;
  /** Gives entries for the menu of a message; drawn only while the row shows its actions. */
  Menu?: Supplier<MessageItemProps, readonly MenuAction[]>;
  /** The message of a channel that carries marks, with these. */
  marksIn?: (state: ChannelState) => { messageId: string; marks: MessageMarks } | undefined;
  /** A line between messages. */
  separator?: (item: MessageItemView) => ReactNode;
  /** Wraps a list of messages. */
  Frame?: ComponentType<{ children: ReactNode }>;
};

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

import type { MessageItemProps } from './message-item-props.ts';
import type { MessagePart } from './message-parts.ts';
import { isPinned, PinnedMark } from './pinned-mark.tsx';

function PinFooter({ message }: MessageItemProps) {
  return isPinned(message) && <PinnedMark message={message} />;
}

export const messages: MessagePart = { name: 'messages', Footer: PinFooter };

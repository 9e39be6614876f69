import { TouchStart } from './menu/touch-start.ts';
import type { MessageItemProps } from './message-item-props.ts';
import type { MessagePart } from './message-parts.ts';
import { isPinned, PinnedMark } from './row/pinned-mark.tsx';

function PinFooter({ message }: MessageItemProps) {
  return isPinned(message) && <PinnedMark message={message} />;
}

export const messages = { name: 'messages', Start: TouchStart, Footer: PinFooter } satisfies MessagePart & {
  Start: unknown;
};

import type { MessageItemProps } from '../messages/message-item-props.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import { ReplySeparator } from './reply-separator.tsx';
import { ThreadChip } from './thread-chip.tsx';

function ThreadFooter({ message, acts: { openThread } }: MessageItemProps) {
  if (openThread === undefined || !message.reply_count) return null;
  return (
    <ThreadChip
      count={message.reply_count}
      people={message.thread_participants ?? []}
      onOpen={() => openThread(message)}
    />
  );
}

export const threads: MessagePart = {
  name: 'threads',
  Footer: ThreadFooter,
  separator: (item) => (item.kind === 'replies' ? <ReplySeparator count={item.count} /> : undefined),
};

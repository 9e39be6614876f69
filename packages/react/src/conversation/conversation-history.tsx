import { memo, useMemo, useState } from 'react';
import { useClient } from '../chat/client-provider.tsx';
import { useChannel } from '../chat/use-channel.ts';
import { MessageFeed } from '../features/messages/feed/message-feed.tsx';
import { FirstUnreadPill, NewMessagesPill } from '../features/messages/feed/new-messages-pill.tsx';
import type { Jumps } from '../features/messages/feed/use-jump.ts';
import { useMessages } from '../features/messages/feed/use-messages.ts';
import type { MessageItemActs } from '../features/messages/message-item-props.ts';
import { messageItems } from '../features/messages/message-items.ts';
import { messageTexts } from '../features/messages/texts.ts';
import { useMarkRead, useUnreadMark } from '../features/reads/use-reading.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconSmile } from '../ui/icons.tsx';
import { useKeptPlace } from './use-kept-place.ts';

export type ConversationHistoryProps = { cid: string; acts: MessageItemActs; jumps: Jumps };

/** The messages of a channel, from where the reader left it or where the unread begin. */
export const ConversationHistory = memo(function ConversationHistory(props: ConversationHistoryProps) {
  const { cid, acts, jumps } = props;
  const text = useTexts(messageTexts);
  const timeline = useMessages(cid);
  const ownId = useChannel(cid, (state) => state?.ownId);
  const unread = useUnreadMark(cid);
  const kept = useKeptPlace(cid);
  const end = useEnd(cid);
  useMarkRead(cid, end.isAtEnd === true);
  const { messages, hasOlder } = timeline;
  const items = useMemo(
    () => messageItems(messages, { ownId, unread, isComplete: !hasOlder }),
    [messages, ownId, unread, hasOlder],
  );
  if (messages.length === 0) {
    const icon = <IconSmile size={28} />;
    return <EmptyState icon={icon} title={text('emptyConversation')} hint={text('emptyConversationHint')} />;
  }
  const isAbove = unread?.count !== undefined && (messages[0]?.number ?? 0) > unread.after && hasOlder;
  return (
    <MessageFeed
      cid={cid}
      timeline={timeline}
      items={items}
      acts={acts}
      jumps={jumps}
      initial={kept.initial ?? (unread?.count === undefined ? undefined : { key: 'unread' })}
      onLeave={kept.onLeave}
      showsMarks
      onAtEndChange={end.onAtEndChange}
      overlay={end.isAtEnd === false && <NewMessagesPill count={end.newCount} onJump={jumps.toEnd} />}
      topOverlay={
        isAbove && <FirstUnreadPill count={unread.count ?? 0} onJump={() => jumps.toUnread(unread)} />
      }
    />
  );
});

/** The state of the end: whether it is in view, and the messages that arrived since it was left or are not read yet. */
function useEnd(cid: string) {
  const { channels } = useClient();
  const { lastNumber, unread } = useChannel(cid, (state) => ({
    lastNumber: state?.lastNumber ?? 0,
    unread: state?.unread ?? 0,
  }));
  const [place, setPlace] = useState<{ isAtEnd: boolean; leftAt: number }>();
  const onAtEndChange = (isAtEnd: boolean) =>
    setPlace({ isAtEnd, leftAt: channels.state(cid).get()?.lastNumber ?? 0 });
  const newCount = place?.isAtEnd === false ? Math.max(unread, lastNumber - place.leftAt) : 0;
  return { isAtEnd: place?.isAtEnd, newCount, onAtEndChange };
}

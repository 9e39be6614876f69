import type { VisibleMessage } from '@parley/client';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { useClient } from '../../chat/chat-provider.tsx';
import { useText } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconSmile } from '../../ui/icons.tsx';
import { MessageListSkeleton } from '../../ui/skeleton.tsx';
import { ConversationHeader } from '../channels/conversation-header.tsx';
import { useChannel, useOpenChannel } from '../channels/use-channel.ts';
import { useMarkRead, useUnreadMark } from '../reads/use-reading.ts';
import { TypingIndicator } from '../typing/typing-indicator.tsx';
import { useTyping } from '../typing/use-typing.ts';
import { ChatComposer } from './chat-composer.tsx';
import { MessageAnnouncer } from './message-announcer.tsx';
import { MessageFeed } from './message-feed.tsx';
import { messageItems } from './message-items.ts';
import { NewMessagesPill } from './new-messages-pill.tsx';
import { useComposer } from './use-composer.ts';
import { useItemActs } from './use-item-acts.tsx';
import { type Jumps, useJump } from './use-jump.ts';
import { useKeptPlace } from './use-kept-place.ts';
import { useMessages } from './use-messages.ts';

export type ConversationProps = {
  cid: string;
  onBack?: (() => void) | undefined;
  onOpenThread?: ((message: VisibleMessage) => void) | undefined;
  onOpenDetails?: (() => void) | undefined;
  /** Buttons at the end of the header. */
  actions?: ReactNode;
  /** The address of a message; without it no link to one is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
  /** A message to begin at, as a link names it. */
  messageId?: string | undefined;
};

/** A whole conversation: header, history, who types, composer. */
export function Conversation(props: ConversationProps) {
  const { cid, actions, onBack, onOpenDetails } = props;
  const text = useText();
  const { status, retry } = useOpenChannel(cid);
  if (status === 'missing') {
    const back = onBack && <Button onClick={onBack}>{text('back')}</Button>;
    return (
      <EmptyState level={1} title={text('channelMissing')} hint={text('channelMissingHint')} action={back} />
    );
  }
  if (status === 'failed') {
    return (
      <EmptyState
        level={1}
        title={text('couldNotLoad')}
        action={<Button onClick={retry}>{text('retry')}</Button>}
      />
    );
  }
  return (
    <>
      <ConversationHeader cid={cid} actions={actions} onBack={onBack} onOpenDetails={onOpenDetails} />
      {status === 'loading' ? (
        <MessageListSkeleton label={text('loading')} />
      ) : (
        <Loaded key={cid} {...props} />
      )}
    </>
  );
}

function Loaded({ cid, onOpenThread, messageId, linkOf }: ConversationProps) {
  const composer = useComposer(cid);
  const jumps = useJump(cid);
  const { toMessage } = jumps;
  useEffect(() => {
    if (messageId !== undefined) toMessage(messageId);
  }, [messageId, toMessage]);
  const { acts, dialog } = useItemActs({
    composer: composer.acts,
    openQuote: toMessage,
    openThread: onOpenThread,
    linkOf,
  });
  return (
    <>
      <History cid={cid} acts={acts} jumps={jumps} />
      <TypingIndicator names={useTyping(cid)} />
      <ChatComposer cid={cid} composer={composer} onSent={jumps.toEnd} />
      <MessageAnnouncer cid={cid} />
      {dialog}
    </>
  );
}

type HistoryProps = { cid: string; acts: ReturnType<typeof useItemActs>['acts']; jumps: Jumps };

function History({ cid, acts, jumps }: HistoryProps) {
  const text = useText();
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
  return (
    <MessageFeed
      cid={cid}
      timeline={timeline}
      items={items}
      acts={acts}
      list={jumps.list}
      lit={jumps.lit}
      initial={kept.initial ?? (unread?.count === undefined ? undefined : { key: 'unread' })}
      onLeave={kept.onLeave}
      showsMarks
      onAtEndChange={end.onAtEndChange}
      overlay={end.isAtEnd === false && <NewMessagesPill count={end.newCount} onJump={jumps.toEnd} />}
    />
  );
}

/** Whether the end is in view, and what came since it was left. */
function useEnd(cid: string) {
  const { channels } = useClient();
  const lastNumber = useChannel(cid, (state) => state?.lastNumber ?? 0);
  const [place, setPlace] = useState<{ isAtEnd: boolean; leftAt: number }>();
  const onAtEndChange = (isAtEnd: boolean) =>
    setPlace({ isAtEnd, leftAt: channels.state(cid).get()?.lastNumber ?? 0 });
  const newCount = place && !place.isAtEnd ? Math.max(0, lastNumber - place.leftAt) : 0;
  return { isAtEnd: place?.isAtEnd, newCount, onAtEndChange };
}

import type { VisibleMessage } from '@parley/client';
import { useDeferredValue, useEffect, useMemo } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useClient, useOwnId } from '../../chat/client-provider.tsx';
import { useChannel, useChannelTitle } from '../../chat/use-channel.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { AvatarStack } from '../../ui/avatar.tsx';
import { KitRoot } from '../../ui/kit-root.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { MessageListSkeleton } from '../../ui/skeleton.tsx';
import { useEscape } from '../../ui/use-escape.ts';
import { personOf } from '../channels/channel-view.ts';
import { ChatComposer } from '../composer/chat-composer.tsx';
import { useComposer } from '../composer/use-composer.ts';
import { useItemActs } from '../messages/dialogs/use-item-acts.tsx';
import { MessageFeed } from '../messages/feed/message-feed.tsx';
import { useJump } from '../messages/feed/use-jump.ts';
import { useMessages } from '../messages/feed/use-messages.ts';
import { threadItems } from '../messages/message-items.ts';
import { TypingIndicator } from '../typing/typing-indicator.tsx';
import { useTyping } from '../typing/use-typing.ts';
import { AlsoToChannel } from './also-to-channel.tsx';
import type { ThreadHeaderProps } from './thread-header.tsx';
import { useReadThread } from './use-read-thread.ts';
import { useThreadParent } from './use-thread-parent.ts';

export type ThreadPanelProps = {
  cid: string;
  parentId: string;
  onClose: () => void;
  /** The id of a reply to begin at, from a link. */
  messageId?: string | undefined;
  /** The address of a message; without it no link to one is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
};

const ThreadHeader = lazyPart<ThreadHeaderProps>(
  async () => (await import('./thread-header.tsx')).ThreadHeader,
  { Waiting: PlainHeader, Missing: PlainHeader },
);

function PlainHeader({ cid, actions, onClose }: ThreadHeaderProps) {
  const text = useTexts(commonTexts);
  return (
    <ChannelHeader
      name={text('thread')}
      detail={useChannelTitle(cid)}
      actions={actions}
      onBack={onClose}
      onClose={onClose}
    />
  );
}

/** A message and the replies to it, beside the conversation. */
export function ThreadPanel(props: ThreadPanelProps) {
  return (
    <KitRoot>
      <Thread {...props} />
    </KitRoot>
  );
}

function Thread(props: ThreadPanelProps) {
  const { cid, parentId, onClose } = props;
  const text = useTexts(commonTexts);
  // The replies are drawn in small steps: all at once they would hold up a frame.
  const isOpen = useDeferredValue(useOpenThread(cid, parentId), false);
  useEscape(onClose);
  const parent = useThreadParent(cid, parentId);
  const people = parent?.thread_participants ?? [];
  const faces = people.length > 0 && <AvatarStack people={people.map(personOf)} max={4} />;
  return (
    <>
      <ThreadHeader cid={cid} parentId={parentId} parent={parent} actions={faces} onClose={onClose} />
      {isOpen ? (
        <Replies key={parentId} {...props} parent={parent} />
      ) : (
        <MessageListSkeleton label={text('loading')} />
      )}
    </>
  );
}

type RepliesProps = ThreadPanelProps & { parent: VisibleMessage | undefined };

function Replies({ cid, parentId, parent, messageId, linkOf }: RepliesProps) {
  const jumps = useJump(cid, parentId);
  const { toMessage } = jumps;
  const composer = useComposer(cid, parentId);
  const timeline = useMessages(cid, parentId);
  const ownId = useChannel(cid, (state) => state?.ownId);
  useReadThread(cid, parentId, timeline.messages);
  useEffect(() => {
    if (messageId !== undefined) toMessage(messageId);
  }, [messageId, toMessage]);
  const { acts, dialog } = useItemActs({ composer: composer.acts, openQuote: toMessage, linkOf });
  const items = useMemo(
    () => threadItems(parent, timeline.messages, { ownId, isComplete: !timeline.hasOlder }),
    [parent, timeline.messages, timeline.hasOlder, ownId],
  );
  return (
    <>
      <MessageFeed
        cid={cid}
        timeline={timeline}
        items={items}
        acts={acts}
        jumps={jumps}
        label={useTexts(commonTexts)('thread')}
      />
      <TypingIndicator names={useTyping(cid, parentId)} />
      <ChatComposer cid={cid} parentId={parentId} composer={composer} onSent={jumps.toEnd} />
      <AlsoToChannel cid={cid} composer={composer} />
      {dialog}
    </>
  );
}

/** Loads the replies and releases them with the panel; true once they are loaded. */
function useOpenThread(cid: string, parentId: string): boolean {
  const { messages } = useClient();
  const isConnected = useOwnId() !== undefined;
  const hasChannel = useChannel(cid, (state) => state !== undefined);
  useEffect(() => {
    if (!isConnected || !hasChannel) return;
    messages.replies.open(cid, parentId).catch(() => {});
    return () => messages.replies.stop(cid, parentId);
  }, [messages, cid, parentId, isConnected, hasChannel]);
  return useChannel(cid, (state) => {
    const thread = state?.threads[parentId];
    return thread !== undefined && !(thread.isLoading && thread.messages.length === 0);
  });
}

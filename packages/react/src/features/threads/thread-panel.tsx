import { useEffect, useMemo, useRef } from 'react';
import { useClient, useMe } from '../../chat/chat-provider.tsx';
import { useText } from '../../i18n/text-context.tsx';
import { AvatarStack } from '../../ui/avatar.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose } from '../../ui/icons.tsx';
import { MessageListSkeleton } from '../../ui/skeleton.tsx';
import { ChannelHeader } from '../channels/channel-header.tsx';
import { personOf } from '../channels/channel-view.ts';
import { useChannel, useChannelTitle } from '../channels/use-channel.ts';
import { ChatComposer } from '../messages/chat-composer.tsx';
import { MessageFeed } from '../messages/message-feed.tsx';
import { threadItems } from '../messages/message-items.ts';
import type { MessageListHandle } from '../messages/use-anchored-list.ts';
import { useComposer } from '../messages/use-composer.ts';
import { useItemActs } from '../messages/use-item-acts.tsx';
import { useMessages } from '../messages/use-messages.ts';
import { TypingIndicator } from '../typing/typing-indicator.tsx';
import { useTyping } from '../typing/use-typing.ts';
import { AlsoToChannel } from './also-to-channel.tsx';
import { useReadThread } from './use-read-thread.ts';
import { useThreadParent } from './use-thread-parent.ts';

export type ThreadPanelProps = { cid: string; parentId: string; onClose: () => void };

/** A message and the replies to it, beside the conversation. */
export function ThreadPanel({ cid, parentId, onClose }: ThreadPanelProps) {
  const text = useText();
  const isOpen = useOpenThread(cid, parentId);
  useEscape(onClose);
  const people = useThreadParent(cid, parentId)?.thread_participants ?? [];
  const close = (
    <>
      {people.length > 0 && <AvatarStack people={people.map(personOf)} max={4} />}
      <IconButton label={text('close')} tooltip="none" onClick={onClose}>
        <IconClose />
      </IconButton>
    </>
  );
  return (
    <>
      <ChannelHeader name={text('thread')} detail={useChannelTitle(cid)} actions={close} onBack={onClose} />
      {isOpen ? (
        <Replies key={parentId} cid={cid} parentId={parentId} />
      ) : (
        <MessageListSkeleton label={text('loading')} />
      )}
    </>
  );
}

function Replies({ cid, parentId }: { cid: string; parentId: string }) {
  const list = useRef<MessageListHandle>(null);
  const composer = useComposer(cid, parentId);
  const timeline = useMessages(cid, parentId);
  const parent = useThreadParent(cid, parentId);
  const ownId = useChannel(cid, (state) => state?.ownId);
  useReadThread(cid, parentId, timeline.messages);
  const { acts, dialog } = useItemActs({
    composer: composer.acts,
    openQuote: useRef((id: string) => void list.current?.scrollToKey(id)).current,
  });
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
        list={list}
        label={useText()('thread')}
      />
      <TypingIndicator names={useTyping(cid, parentId)} />
      <ChatComposer
        cid={cid}
        parentId={parentId}
        composer={composer}
        onSent={() => list.current?.scrollToEnd()}
      />
      <AlsoToChannel cid={cid} composer={composer} />
      {dialog}
    </>
  );
}

/** Loads the replies and lets go of them with the panel; true once they are there. */
function useOpenThread(cid: string, parentId: string): boolean {
  const { messages } = useClient();
  const isConnected = useMe() !== undefined;
  const hasChannel = useChannel(cid, (state) => state !== undefined);
  useEffect(() => {
    if (!isConnected || !hasChannel) return;
    messages.replies.open(cid, parentId).catch(() => {});
    return () => messages.replies.close(cid, parentId);
  }, [messages, cid, parentId, isConnected, hasChannel]);
  return useChannel(cid, (state) => {
    const thread = state?.threads[parentId];
    return thread !== undefined && !(thread.isLoading && thread.messages.length === 0);
  });
}

function useEscape(act: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}

import { fromCid, type VisibleMessage } from '@parley/client';
import { type ReactNode, useEffect } from 'react';
import { useOpenChannel } from '../chat/use-channel.ts';
import { useHoldsFirstScreen } from '../chat/use-first-screen.ts';
import { CouldNotLoad } from '../connection/could-not-load.tsx';
import { ConversationHeader } from '../features/channels/conversation-header.tsx';
import { ChatComposer } from '../features/composer/chat-composer.tsx';
import { useComposer } from '../features/composer/use-composer.ts';
import { useItemActs } from '../features/messages/dialogs/use-item-acts.tsx';
import { MessageAnnouncer } from '../features/messages/feed/message-announcer.tsx';
import { useJump } from '../features/messages/feed/use-jump.ts';
import { messageTexts } from '../features/messages/texts.ts';
import { TypingIndicator } from '../features/typing/typing-indicator.tsx';
import { useTyping } from '../features/typing/use-typing.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { IconWarning } from '../ui/icons.tsx';
import { KitRoot } from '../ui/kit-root.tsx';
import { MessageListSkeleton } from '../ui/skeleton.tsx';
import { ConversationHistory } from './conversation-history.tsx';

export type ConversationProps = {
  cid: string;
  onBack?: (() => void) | undefined;
  onOpenThread?: ((message: VisibleMessage) => void) | undefined;
  onOpenDetails?: (() => void) | undefined;
  /** Buttons at the end of the header. */
  actions?: ReactNode;
  /** The address of a message; without it no link to one is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
  /** The id of a message to begin at, from a link. */
  messageId?: string | undefined;
};

/** A whole conversation: header, messages, typing indicator, composer. */
export function Conversation(props: ConversationProps) {
  // A parameter of a route that is not there yet would end in a TypeError further down.
  if (!props.cid) fromCid(props.cid);
  return (
    <KitRoot>
      <Opened {...props} />
    </KitRoot>
  );
}

function Opened(props: ConversationProps) {
  const { cid, actions, onBack, onOpenDetails } = props;
  const text = useTexts(messageTexts);
  const { status, retry } = useOpenChannel(cid);
  useHoldsFirstScreen(status === 'loading');
  if (status === 'missing') {
    const back = onBack && <Button onClick={onBack}>{text('back')}</Button>;
    return (
      <EmptyState
        level={1}
        icon={<IconWarning size={32} />}
        title={text('channelMissing')}
        hint={text('channelMissingHint')}
        action={back}
      />
    );
  }
  if (status === 'failed') return <CouldNotLoad level={1} onRetry={retry} />;
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
      <ConversationHistory cid={cid} acts={acts} jumps={jumps} />
      <TypingIndicator names={useTyping(cid)} />
      <ChatComposer cid={cid} composer={composer} onSent={jumps.toEnd} />
      <MessageAnnouncer cid={cid} />
      {dialog}
    </>
  );
}

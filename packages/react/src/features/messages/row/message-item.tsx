import { isEdited, selectReactions, selectUserName, type VisibleMessage } from '@parley/client';
import { memo, type ReactNode } from 'react';
import { errorTexts } from '../../../chat/error-texts.ts';
import { refusalWords } from '../../../chat/refusal-words.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { Boundary } from '../../../ui/boundary.tsx';
import { Collect } from '../../../ui/collect.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { MentionsOf } from '../../mentions/mention-text.tsx';
import type { ReactionView } from '../../reactions/reaction-bar.tsx';
import { hasAbility } from '../menu/message-abilities.ts';
import type { MessageHandlers } from '../menu/message-actions.tsx';
import type { MessageItemProps } from '../message-item-props.ts';
import { firstOf, type MessagePart, useMessageParts } from '../message-parts.ts';
import type { MessageDeliveryState } from './message-delivery.tsx';
import { MessageRow } from './message-row.tsx';
import { isPinned } from './pinned-mark.tsx';
import { SystemMessage } from './separators.tsx';
import { useQuoteView } from './use-quote-view.ts';

const EphemeralMessage = lazyPart<{ message: VisibleMessage }>(
  async () => (await import('./ephemeral-message.tsx')).EphemeralMessage,
);

const reactionViews = (message: VisibleMessage): readonly ReactionView[] =>
  selectReactions(message).map(({ type, count, isOwn }) => ({
    emoji: type,
    count,
    own: isOwn,
    names: message.latest_reactions
      .filter((reaction) => reaction.type === type)
      .map(({ user, user_id }) => (user ? selectUserName(user) : user_id)),
  }));

/** The text of `/me` begins with its author. */
const displayText = ({ command, text, user }: VisibleMessage) => {
  const emote = command === 'me' && user !== undefined;
  return { emote, text: emote ? `${selectUserName(user)} ${text}` : text };
};

const deliveryOf = ({ message: { status }, isOnline }: MessageItemProps): MessageDeliveryState => {
  if (status === 'private') return 'pending';
  return status === 'sending' && !isOnline ? 'queued' : status;
};

/** A message of the store as a row. Renders again only when something of its own changed. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const parts = useMessageParts();
  const { message, own, acts } = props;
  const { user, quoted_message_id } = message;
  const errorText = useTexts(errorTexts);
  const quote = useQuoteView(message.quoted_message);
  if (message.type === 'ephemeral') return <EphemeralMessage message={message} />;
  if (message.type === 'system') return <SystemMessage text={message.text} at={message.created_at} />;
  const isDeleted = message.type === 'deleted';
  /** A part that throws is replaced by a text: it must not take the list down. */
  const safely = (part: ReactNode, name?: string) =>
    part && (
      <Boundary key={name} of={message} fallback={errorText('partFailed')}>
        {part}
      </Boundary>
    );
  return (
    <MentionsOf message={message}>
      <MessageRow
        authorId={user?.id ?? ''}
        authorName={user ? selectUserName(user) : ''}
        authorImageUrl={user?.image}
        {...displayText(message)}
        at={message.created_at}
        own={own}
        startsGroup={props.startsGroup}
        endsGroup={props.endsGroup}
        state={deliveryOf(props)}
        failure={message.error && refusalWords(message.error, errorText)}
        deleted={isDeleted}
        editedAt={isEdited(message) ? message.message_text_updated_at : undefined}
        quote={quote}
        onOpenQuote={quoted_message_id ? () => acts.openQuote(quoted_message_id) : undefined}
        onRestore={hasAbility(props.abilities, 'restore') ? () => acts.restore(message) : undefined}
        reactions={reactionViews(message)}
        onRetry={hasAbility(props.abilities, 'retry') ? () => acts.retry(message) : undefined}
        onDiscard={() => acts.discard(message)}
        highlighted={props.highlighted}
        after={isDeleted ? undefined : safely(firstOf(parts, ({ below }) => below?.(message)))}
        footer={parts.map(({ name, Footer }) => Footer && safely(<Footer {...props} />, name))}
        withMore={menuOf(parts, props)}
        {...handlersOf(props)}
      >
        {isDeleted ? undefined : safely(firstOf(parts, ({ above }) => above?.(message)))}
      </MessageRow>
    </MentionsOf>
  );
});

/** The entries of all parts for the menu. Their hooks run only while it is offered. */
const menuOf = (parts: readonly MessagePart[], props: MessageItemProps): MessageHandlers['withMore'] => {
  const from = parts.flatMap(({ Menu }) => Menu ?? []);
  if (from.length === 0) return undefined;
  return (draw) => (
    <Collect from={from} of={props} subject={props.message} draw={(entries) => draw(entries.flat())} />
  );
};

const handlersOf = ({ message, abilities, acts }: MessageItemProps) => {
  const { openThread } = acts;
  return {
    onReact: hasAbility(abilities, 'react') ? (emoji: string) => acts.react(message, emoji) : undefined,
    onReply: hasAbility(abilities, 'quote') ? () => acts.quote(message) : undefined,
    onReplyInThread: openThread && hasAbility(abilities, 'thread') ? () => openThread(message) : undefined,
    onEdit: hasAbility(abilities, 'edit') ? () => acts.edit(message) : undefined,
    onCopy: message.text === '' ? undefined : () => acts.copy(message),
    onPin: hasAbility(abilities, 'pin') ? () => acts.togglePin(message) : undefined,
    isPinned: isPinned(message),
    onPinUntil: hasAbility(abilities, 'pin') ? () => acts.choosePin(message) : undefined,
    onCopyLink: message.status === 'sent' && acts.copyLink ? () => acts.copyLink?.(message) : undefined,
    onOpenHistory: hasAbility(abilities, 'history') ? () => acts.openHistory(message) : undefined,
    onDelete: hasAbility(abilities, 'delete') ? () => acts.delete(message) : undefined,
  };
};

import { isEdited, selectReactions, selectUserName, type VisibleMessage } from '@parley/client';
import { memo, useMemo } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconThread } from '../../ui/icons.tsx';
import { MentionsOf } from '../mentions/mention-text.tsx';
import type { ReactionView } from '../reactions/reaction-bar.tsx';
import { type ReadActs, readActions } from '../reads/read-actions.tsx';
import { ReadMarks, type ReadMarksProps } from '../reads/read-marks.tsx';
import { ThreadChip } from '../threads/thread-chip.tsx';
import { hasAbility } from './message-abilities.ts';
import { MessageRow } from './message-row.tsx';
import { isPinned, PinnedMark } from './pinned-mark.tsx';
import type { QuoteView } from './quoted-message.tsx';
import { SystemMessage } from './separators.tsx';
import type { MessageActs } from './use-message-actions.ts';

export type MessageItemActs = MessageActs &
  ReadActs & {
    quote: (message: VisibleMessage) => void;
    edit: (message: VisibleMessage) => void;
    openQuote: (messageId: string) => void;
    /** Left out inside a thread. */
    openThread?: ((message: VisibleMessage) => void) | undefined;
    openHistory: (message: VisibleMessage) => void;
    copyLink?: ((message: VisibleMessage) => void) | undefined;
  };

export type MessageItemProps = {
  message: VisibleMessage;
  own: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
  /** Made by `abilitiesOf`. */
  abilities: string;
  isOnline: boolean;
  highlighted: boolean;
  marks?: ReadMarksProps | undefined;
  acts: MessageItemActs;
};

const reactionViews = (message: VisibleMessage): readonly ReactionView[] =>
  selectReactions(message).map(({ type, count, isOwn }) => ({
    emoji: type,
    count,
    own: isOwn,
    names: message.latest_reactions
      .filter((reaction) => reaction.type === type)
      .map(({ user, user_id }) => (user ? selectUserName(user) : user_id)),
  }));

const quoteOf = ({ quoted_message: quoted }: VisibleMessage): QuoteView | undefined =>
  quoted && {
    authorName: quoted.user ? selectUserName(quoted.user) : '',
    text: quoted.text,
    deleted: quoted.type === 'deleted',
  };

/** What `/me` says is said of its author; a shrug keeps its arms in Markdown. */
const saidBy = ({ command, text, user }: VisibleMessage): string => {
  if (command === 'shrug') return text.replaceAll('\\_(ツ)_', '\\\\\\_(ツ)\\_');
  return command === 'me' && user ? `*${selectUserName(user)} ${text}*` : text;
};

/** A message of the store as a row. Renders again only when something of its own changed. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, own, acts } = props;
  const { user, status, quoted_message_id } = message;
  const reactions = useMemo(() => reactionViews(message), [message]);
  const quote = useMemo(() => quoteOf(message), [message]);
  const handlers = useHandlers(props);
  if (message.type === 'system') return <SystemMessage text={message.text} at={message.created_at} />;
  return (
    <MentionsOf message={message}>
      <MessageRow
        authorId={user?.id ?? ''}
        authorName={user ? selectUserName(user) : ''}
        authorImageUrl={user?.image}
        text={saidBy(message)}
        at={message.created_at}
        own={own}
        startsGroup={props.startsGroup}
        endsGroup={props.endsGroup}
        state={status === 'sending' && !props.isOnline ? 'queued' : status}
        deleted={message.type === 'deleted'}
        editedAt={isEdited(message) ? message.message_text_updated_at : undefined}
        quote={quote}
        onOpenQuote={quoted_message_id ? () => acts.openQuote(quoted_message_id) : undefined}
        reactions={reactions}
        onRetry={() => acts.retry(message)}
        onDiscard={() => acts.discard(message)}
        highlighted={props.highlighted}
        footer={<ItemFooter {...props} />}
        {...handlers}
      />
    </MentionsOf>
  );
});

function useHandlers({ message, abilities, acts }: MessageItemProps) {
  const text = useText();
  return useMemo(() => {
    const { openThread } = acts;
    const thread = openThread &&
      hasAbility(abilities, 'thread') && {
        id: 'thread',
        label: text('replyInThread'),
        icon: <IconThread size={18} />,
        onSelect: () => openThread(message),
      };
    return {
      onReact: hasAbility(abilities, 'react') ? (emoji: string) => acts.react(message, emoji) : undefined,
      onReply: hasAbility(abilities, 'quote') ? () => acts.quote(message) : undefined,
      onEdit: hasAbility(abilities, 'edit') ? () => acts.edit(message) : undefined,
      onCopy: message.text === '' ? undefined : () => acts.copy(message),
      onPin: hasAbility(abilities, 'pin') ? () => acts.togglePin(message) : undefined,
      isPinned: isPinned(message),
      onCopyLink: acts.copyLink && (() => acts.copyLink?.(message)),
      onOpenHistory: hasAbility(abilities, 'history') ? () => acts.openHistory(message) : undefined,
      onDelete: hasAbility(abilities, 'delete') ? () => acts.remove(message) : undefined,
      extraActions: [
        ...(thread ? [thread] : []),
        ...readActions(message, hasAbility(abilities, 'mark'), acts, text),
      ],
    };
  }, [message, abilities, acts, text]);
}

function ItemFooter({ message, marks, acts }: MessageItemProps) {
  const { openThread } = acts;
  return (
    <>
      {openThread !== undefined && message.reply_count > 0 && (
        <ThreadChip
          count={message.reply_count}
          people={message.thread_participants ?? []}
          onOpen={() => openThread(message)}
        />
      )}
      {isPinned(message) && <PinnedMark message={message} />}
      {marks !== undefined && <ReadMarks {...marks} />}
    </>
  );
}

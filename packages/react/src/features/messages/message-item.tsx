import { isEdited, selectReactions, selectUserName, type VisibleMessage } from '@parley/client';
import { memo, useMemo } from 'react';
import { errorTexts } from '../../chat/error-texts.ts';
import { refusalWords } from '../../chat/refusal-words.ts';
import type { TextOf } from '../../i18n/text.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { saidIn } from '../../summary/said-in.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { filesOf, linksOf } from '../attachments/message-attachments.tsx';
import { MentionsOf } from '../mentions/mention-text.tsx';
import type { ReactionView } from '../reactions/reaction-bar.tsx';
import { type ReadActs, readActions } from '../reads/read-actions.tsx';
import { ReadMarks, type ReadMarksProps } from '../reads/read-marks.tsx';
import { readTexts } from '../reads/texts.ts';
import { type ReminderActs, reminderActions } from '../reminders/reminder-actions.tsx';
import type { ReminderMarkProps } from '../reminders/reminder-mark.tsx';
import { reminderTexts } from '../reminders/texts.ts';
import { useReminderOf } from '../reminders/use-later.ts';
import { ThreadChip } from '../threads/thread-chip.tsx';
import { hasAbility } from './message-abilities.ts';
import type { MessageDeliveryState } from './message-delivery.tsx';
import { MessageRow } from './message-row.tsx';
import { isPinned, PinnedMark } from './pinned-mark.tsx';
import type { QuoteView } from './quoted-message.tsx';
import { SystemMessage } from './separators.tsx';
import type { MessageActs } from './use-message-actions.ts';

const EphemeralMessage = lazyPart<{ message: VisibleMessage }>(
  async () => (await import('./ephemeral-message.tsx')).EphemeralMessage,
);

const PollBubble = lazyPart<{ message: VisibleMessage }>(
  async () => (await import('../polls/poll-bubble.tsx')).PollBubble,
  { Waiting: PollWaiting },
);

const LocationBubble = lazyPart<{ message: VisibleMessage }>(
  async () => (await import('../locations/location-bubble.tsx')).LocationBubble,
  { Waiting: LocationWaiting, Missing: LocationMissing },
);

const ReminderMark = lazyPart<ReminderMarkProps>(
  async () => (await import('../reminders/reminder-mark.tsx')).ReminderMark,
);

export type MessageItemActs = Omit<MessageActs, 'remove'> &
  ReadActs &
  ReminderActs & {
    /** Asks first. */
    delete: (message: VisibleMessage) => void;
    choosePin: (message: VisibleMessage) => void;
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

const quoteOf = (
  { quoted_message: quoted }: VisibleMessage,
  text: TextOf<typeof attachmentTexts>,
): QuoteView | undefined =>
  quoted && {
    authorName: quoted.user ? selectUserName(quoted.user) : '',
    text: saidIn(quoted, text),
    deleted: quoted.type === 'deleted',
  };

/** Holds the room of the poll until it is drawn, so that nothing moves. */
function PollWaiting({ message: { poll } }: { message: VisibleMessage }) {
  return (
    <div style={{ blockSize: `${6.5 + 3 * Math.min(10, poll?.options.length ?? 2)}rem` }}>{poll?.name}</div>
  );
}

function LocationWaiting() {
  return <div style={{ inlineSize: '21rem', maxInlineSize: '100%', blockSize: '16.5rem' }} />;
}

/** Without the part that draws it, a place is still its coordinates. */
function LocationMissing({ message: { shared_location: place } }: { message: VisibleMessage }) {
  return <bdi>{place && `📍 ${place.latitude}, ${place.longitude}`}</bdi>;
}

/** What stands above the words of a message. */
const carriedBy = (message: VisibleMessage) => {
  if (message.type === 'deleted') return undefined;
  if (message.poll_id !== undefined) return <PollBubble message={message} />;
  return message.shared_location ? <LocationBubble message={message} /> : filesOf(message);
};

/** What `/me` says is said of its author; a shrug keeps its arms in Markdown. */
const saidBy = ({ command, text, user }: VisibleMessage): string => {
  if (command === 'shrug') return text.replaceAll('\\_(ツ)_', '\\\\\\_(ツ)\\_');
  return command === 'me' && user ? `*${selectUserName(user)} ${text}*` : text;
};

const deliveryOf = ({ message: { status }, isOnline }: MessageItemProps): MessageDeliveryState => {
  if (status === 'private') return 'pending';
  return status === 'sending' && !isOnline ? 'queued' : status;
};

/** A message of the store as a row. Renders again only when something of its own changed. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps) {
  const { message, own, acts } = props;
  const { user, quoted_message_id } = message;
  const reactions = useMemo(() => reactionViews(message), [message]);
  const carriedText = useTexts(attachmentTexts);
  const errorText = useTexts(errorTexts);
  const quote = useMemo(() => quoteOf(message, carriedText), [message, carriedText]);
  const handlers = useHandlers(props);
  if (message.type === 'ephemeral') return <EphemeralMessage message={message} />;
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
        state={deliveryOf(props)}
        failure={message.error && refusalWords(message.error, errorText)}
        deleted={message.type === 'deleted'}
        editedAt={isEdited(message) ? message.message_text_updated_at : undefined}
        quote={quote}
        onOpenQuote={quoted_message_id ? () => acts.openQuote(quoted_message_id) : undefined}
        onRestore={hasAbility(props.abilities, 'restore') ? () => acts.restore(message) : undefined}
        reactions={reactions}
        onRetry={hasAbility(props.abilities, 'retry') ? () => acts.retry(message) : undefined}
        onDiscard={() => acts.discard(message)}
        highlighted={props.highlighted}
        after={linksOf(message)}
        footer={<ItemFooter {...props} />}
        {...handlers}
      >
        {carriedBy(message)}
      </MessageRow>
    </MentionsOf>
  );
});

function useHandlers({ message, abilities, acts }: MessageItemProps) {
  const readText = useTexts(readTexts);
  const reminderText = useTexts(reminderTexts);
  const reminder = useReminderOf(message.id);
  return useMemo(() => {
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
      extraActions: [
        ...readActions(message, hasAbility(abilities, 'mark'), acts, readText),
        ...reminderActions(message, reminder, acts, reminderText),
      ],
    };
  }, [message, reminder, abilities, acts, readText, reminderText]);
}

function ItemFooter({ message, marks, acts }: MessageItemProps) {
  const { openThread } = acts;
  const reminder = useReminderOf(message.id);
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
      {reminder && <ReminderMark reminder={reminder} onOpen={() => acts.remind(message)} />}
      {marks !== undefined && <ReadMarks {...marks} />}
    </>
  );
}

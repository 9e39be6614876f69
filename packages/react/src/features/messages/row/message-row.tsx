import { type FocusEvent, memo, type PointerEvent, type ReactNode, useId, useState } from 'react';
import type { Instant } from '../../../i18n/format.ts';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { Avatar } from '../../../ui/avatar.tsx';
import { ReactionBar, type ReactionView } from '../../reactions/reaction-bar.tsx';
import { hasActions, type MessageHandlers } from '../menu/message-actions.tsx';
import { MessageSheet } from '../menu/message-sheet.tsx';
import { MessageToolbar } from '../menu/message-toolbar.tsx';
import { startTouch } from '../menu/touch-start.ts';
import { messageTexts } from '../texts.ts';
import { MessageBubble } from './message-bubble.tsx';
import { MessageDelivery, type MessageDeliveryState } from './message-delivery.tsx';
import styles from './message-row.module.css';
import type { QuoteView } from './quoted-message.tsx';

export type MessageRowProps = MessageHandlers & {
  authorId: string;
  authorName: string;
  authorImageUrl?: string | undefined;
  text: string;
  emote?: boolean | undefined;
  at: Instant;
  own: boolean;
  /** First and last of a run by one author: decide avatar, name, corners and gaps. */
  startsGroup: boolean;
  endsGroup: boolean;
  state?: MessageDeliveryState | undefined;
  /** The reason why it was not sent. */
  failure?: string | undefined;
  deleted?: boolean | undefined;
  editedAt?: Instant | undefined;
  quote?: QuoteView | undefined;
  onOpenQuote?: (() => void) | undefined;
  /** Makes the edited mark a button that shows the earlier versions. */
  onOpenHistory?: (() => void) | undefined;
  /** Restores a deleted message. */
  onRestore?: (() => void) | undefined;
  reactions?: readonly ReactionView[] | undefined;
  onRetry?: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
  /** Highlighted for a moment after a jump to it. */
  highlighted?: boolean | undefined;
  /** Shown under the bubble, for instance `ReadMarks`. */
  footer?: ReactNode;
  /** Shown inside the bubble, above the text, for instance attachments. */
  children?: ReactNode;
  /** The same below the text, for instance previews of its links. */
  after?: ReactNode;
};

/** One message with all its actions. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  const { own, state = 'sent', deleted, reactions = [], startsGroup } = props;
  const nameId = useId();
  const attention = useAttention();
  const [sheetOpen, setSheetOpen] = useState(false);
  const usable = !deleted && state !== 'pending' && hasActions(props, state);
  const touch = { onHold: () => setSheetOpen(true), onReply: props.onReply };
  const picked = reactions.filter((reaction) => reaction.own).map((reaction) => reaction.emoji);

  return (
    <article
      className={styles.row}
      data-row
      data-own={own || undefined}
      data-starts={startsGroup || undefined}
      data-highlighted={props.highlighted || undefined}
      tabIndex={-1}
      aria-labelledby={nameId}
      {...attention.handlers}
      onPointerDown={(event) => usable && startTouch(event, touch)}
    >
      {!own && (
        <div className={styles.side}>
          {startsGroup ? <RowAvatar {...props} /> : <SideTime at={props.at} />}
        </div>
      )}
      <div className={styles.content}>
        <RowHeader id={nameId} {...props} />
        <div className={styles.line}>
          <MessageBubble
            {...props}
            faded={state !== 'sent' && state !== 'failed'}
            failed={state === 'failed'}
          />
          <div className={styles.aside}>
            {usable && attention.active && (
              <MessageToolbar handlers={props} own={own} picked={picked} onOpenChange={attention.setHeld} />
            )}
            {own && !startsGroup && <SideTime at={props.at} />}
          </div>
        </div>
        {!deleted && <ReactionBar reactions={reactions} onToggle={props.onReact} />}
        <MessageDelivery {...props} state={state} reason={props.failure} />
        {props.footer}
      </div>
      {sheetOpen && <MessageSheet open onOpenChange={setSheetOpen} handlers={props} picked={picked} />}
    </article>
  );
});

function RowAvatar({ authorId, authorName, authorImageUrl }: MessageRowProps) {
  return <Avatar id={authorId} name={authorName} imageUrl={authorImageUrl} />;
}

function RowHeader({ id, authorName, own, at, startsGroup }: MessageRowProps & { id: string }) {
  const text = useTexts(messageTexts);
  const format = useFormat();
  return (
    <header className={startsGroup ? styles.header : styles.hidden}>
      <span id={id} dir="auto" className={own ? styles.hidden : styles.name}>
        {own ? text('you') : authorName}
      </span>
      {/* Not the whole date: to make that takes a tenth of the first drawing. */}
      <time
        className={styles.time}
        dateTime={new Date(at).toISOString()}
        title={`${format.day(at)} ${format.time(at)}`}
      >
        {format.time(at)}
      </time>
    </header>
  );
}

function SideTime({ at }: { at: Instant }) {
  const format = useFormat();
  return (
    <span className={styles.sideTime} aria-hidden="true">
      {format.time(at)}
    </span>
  );
}

/** A finger that taps is no pointer over a row, and has the sheet in place of the toolbar. */
const canHover = () => matchMedia('(any-hover: hover)').matches;

/** The toolbar exists only while the row has the pointer, the focus or an open menu. */
function useAttention() {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const [held, setHeld] = useState(false);
  return {
    active: hovered || focused || held,
    setHeld,
    handlers: {
      // Not `onPointerEnter`: React calls that never if the element that the pointer was over has gone from the page. Over the menu
      // of the row the pointer is elsewhere on the page, and the menu may go without the pointer leaving it.
      onPointerOver: ({ currentTarget, target, pointerType }: PointerEvent) =>
        setHovered(
          pointerType !== 'touch' && target instanceof Node && currentTarget.contains(target) && canHover(),
        ),
      onPointerLeave: () => setHovered(false),
      // A sheet that closes gives the focus back to its row, and that must not show the toolbar under a finger.
      onFocus: (event: FocusEvent<HTMLElement>) =>
        setFocused(event.target.matches(':focus-visible') && canHover()),
      onKeyUp: () => setFocused(true),
      onBlur: (event: FocusEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setFocused(false);
      },
    },
  };
}

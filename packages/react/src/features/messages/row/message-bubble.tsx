import type { ReactNode } from 'react';
import type { Instant } from '../../../i18n/format.ts';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { isJumbo } from '../../../markdown/linkify.ts';
import { MessageText } from '../../../markdown/message-text.tsx';
import { messageTexts } from '../texts.ts';
import styles from './message-bubble.module.css';
import { QuotedMessage, type QuoteView } from './quoted-message.tsx';

export type MessageBubbleProps = {
  text: string;
  own: boolean;
  /** The text says what its author does, as that of `/me`. */
  emote?: boolean | undefined;
  startsGroup: boolean;
  endsGroup: boolean;
  deleted?: boolean | undefined;
  editedAt?: Instant | undefined;
  quote?: QuoteView | undefined;
  onOpenQuote?: (() => void) | undefined;
  onOpenHistory?: (() => void) | undefined;
  onRestore?: (() => void) | undefined;
  faded?: boolean;
  failed?: boolean;
  /** Shown above the text, for instance attachments. */
  children?: ReactNode;
  /** Shown below the text, for instance previews of its links. */
  after?: ReactNode;
};

/** A message with its content and the marks around it. */
export function MessageBubble(props: MessageBubbleProps) {
  const { text, own, deleted, editedAt, quote, onOpenQuote, children } = props;
  const textOf = useTexts(messageTexts);
  const format = useFormat();
  const bare = !deleted && quote === undefined && children === undefined && isJumbo(text);
  return (
    <div
      className={styles.bubble}
      data-own={own || undefined}
      data-joined-above={!props.startsGroup || undefined}
      data-joined-below={!props.endsGroup || undefined}
      data-bare={bare || undefined}
      data-emote={props.emote || undefined}
      data-deleted={deleted || undefined}
      data-faded={props.faded || undefined}
      data-failed={props.failed || undefined}
    >
      {deleted ? (
        <span>
          {textOf('messageDeleted')}
          {props.onRestore && (
            <button type="button" className={styles.restore} onClick={props.onRestore}>
              {textOf('restore')}
            </button>
          )}
        </span>
      ) : (
        <>
          {quote !== undefined && <QuotedMessage quote={quote} onOpen={onOpenQuote} />}
          {children}
          {(text !== '' || editedAt !== undefined) && (
            <div className={styles.words}>
              <MessageText text={text} />
              {editedAt !== undefined && (
                <EditedMark
                  title={textOf('editedAt', { time: format.full(editedAt) })}
                  onOpen={props.onOpenHistory}
                />
              )}
            </div>
          )}
          {props.after}
        </>
      )}
    </div>
  );
}

function EditedMark({ title, onOpen }: { title: string; onOpen: (() => void) | undefined }) {
  const props = { className: styles.edited, title, children: useTexts(messageTexts)('edited') };
  return onOpen ? <button type="button" {...props} onClick={onOpen} /> : <span {...props} />;
}

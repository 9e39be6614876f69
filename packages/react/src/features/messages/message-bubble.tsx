import type { ReactNode } from 'react';
import type { Instant } from '../../i18n/format.ts';
import { useFormat, useText } from '../../i18n/text-context.tsx';
import { isJumbo } from './linkify.ts';
import styles from './message-bubble.module.css';
import { MessageText } from './message-text.tsx';
import { QuotedMessage, type QuoteView } from './quoted-message.tsx';

export type MessageBubbleProps = {
  text: string;
  own: boolean;
  startsGroup: boolean;
  endsGroup: boolean;
  deleted?: boolean | undefined;
  editedAt?: Instant | undefined;
  quote?: QuoteView | undefined;
  onOpenQuote?: (() => void) | undefined;
  faded?: boolean;
  failed?: boolean;
  /** Above the text, for instance attachments. */
  children?: ReactNode;
};

export function MessageBubble(props: MessageBubbleProps) {
  const { text, own, deleted, editedAt, quote, onOpenQuote, children } = props;
  const say = useText();
  const format = useFormat();
  const bare = !deleted && quote === undefined && children === undefined && isJumbo(text);
  return (
    <div
      className={styles.bubble}
      data-own={own || undefined}
      data-joined-above={!props.startsGroup || undefined}
      data-joined-below={!props.endsGroup || undefined}
      data-bare={bare || undefined}
      data-deleted={deleted || undefined}
      data-faded={props.faded || undefined}
      data-failed={props.failed || undefined}
    >
      {deleted ? (
        say('messageDeleted')
      ) : (
        <>
          {quote !== undefined && <QuotedMessage quote={quote} onOpen={onOpenQuote} />}
          {children}
          <div>
            <MessageText text={text} />
            {editedAt !== undefined && (
              <span className={styles.edited} title={say('editedAt', { time: format.full(editedAt) })}>
                {say('edited')}
              </span>
            )}
          </div>
        </>
      )}
    </div>
  );
}

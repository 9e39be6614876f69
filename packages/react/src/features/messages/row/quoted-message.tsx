import { useTexts } from '../../../i18n/text-context.tsx';
import { PreviewText } from '../../../markdown/preview-text.tsx';
import { messageTexts } from '../texts.ts';
import styles from './quoted-message.module.css';

export type QuoteView = { authorName: string; own?: boolean; text: string; deleted?: boolean };

export type QuotedMessageProps = { quote: QuoteView; onOpen?: (() => void) | undefined };

/** The message that is answered, in two lines; a press goes to it. */
export function QuotedMessage({ quote, onOpen }: QuotedMessageProps) {
  const text = useTexts(messageTexts);
  const content = (
    <>
      <span dir="auto" className={styles.author}>
        {quote.own ? text('you') : quote.authorName}
      </span>
      <span dir="auto" className={styles.text} data-deleted={quote.deleted || undefined}>
        {quote.deleted ? text('quotedDeleted') : <PreviewText text={quote.text} />}
      </span>
    </>
  );
  if (onOpen === undefined) return <div className={styles.quote}>{content}</div>;
  return (
    <button
      type="button"
      className={styles.quote}
      onClick={onOpen}
      aria-label={quote.own ? text('jumpToOwn') : text('jumpToQuoted', { name: quote.authorName })}
    >
      {content}
    </button>
  );
}

import { useTexts } from '../../i18n/text-context.tsx';
import { PreviewText } from '../../markdown/preview-text.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconClose, IconEdit, IconReply } from '../../ui/icons.tsx';
import type { QuoteView } from '../messages/row/quoted-message.tsx';
import { messageTexts } from '../messages/texts.ts';
import styles from './composer.module.css';

export type ComposerContextProps = {
  editing: string | undefined;
  quote: QuoteView | undefined;
  onCancel: (() => void) | undefined;
};

/** The message that is edited or quoted, with a button to cancel. */
export function ComposerContext({ editing, quote, onCancel }: ComposerContextProps) {
  const text = useTexts(messageTexts);
  if (editing === undefined && quote === undefined) return null;
  const replying = quote?.own ? text('replyingToYou') : text('replyingTo', { name: quote?.authorName ?? '' });
  const title = editing !== undefined ? text('editingMessage') : replying;
  return (
    <div className={styles.context}>
      {editing === undefined ? <IconReply size={18} /> : <IconEdit size={18} />}
      <div className={styles.contextWords}>
        <div dir="auto" className={styles.contextTitle}>
          {title}
        </div>
        <div dir="auto" className={styles.contextText}>
          {editing ?? (quote?.deleted ? text('quotedDeleted') : quote && <PreviewText text={quote.text} />)}
        </div>
      </div>
      {onCancel !== undefined && (
        <IconButton label={text('cancel')} size="s" onClick={onCancel}>
          <IconClose size={18} />
        </IconButton>
      )}
    </div>
  );
}

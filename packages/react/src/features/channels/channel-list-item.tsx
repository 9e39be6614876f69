import { type MouseEvent, memo, type ReactNode } from 'react';
import type { Instant } from '../../i18n/format.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { PreviewText } from '../../markdown/preview-text.tsx';
import { cx } from '../../ui/cx.ts';
import { IconMuted } from '../../ui/icons.tsx';
import { typingTexts } from '../typing/texts.ts';
import { TypingDots } from '../typing/typing-indicator.tsx';
import { typingText } from '../typing/typing-text.ts';
import styles from './channel-list-item.module.css';
import { channelTexts } from './texts.ts';

export type ChannelListItemProps = {
  name: string;
  /** An `Avatar` or `GroupAvatar` of size l. */
  avatar: ReactNode;
  preview?: string | undefined;
  /** The author of the preview, in channels with more than two people. */
  previewAuthor?: string | undefined;
  at?: Instant | undefined;
  unread?: number;
  mentioned?: boolean;
  muted?: boolean;
  typing?: readonly string[];
  draft?: string | undefined;
  selected?: boolean;
  /** Makes the item a link, which also opens in a new tab. */
  href?: string | undefined;
  onSelect: () => void;
};

/** One row of the channel list. */
export const ChannelListItem = memo(function ChannelListItem(props: ChannelListItemProps) {
  const { name, avatar, at, unread = 0, muted = false, selected = false, href, onSelect } = props;
  const text = useTexts(channelTexts);
  const format = useFormat();
  const content = (
    <>
      {avatar}
      <span className={styles.words}>
        <span className={styles.line}>
          <span dir="auto" className={styles.name}>
            {name}
          </span>
          {muted && (
            <span role="img" aria-label={text('muted')} className={styles.muted}>
              <IconMuted size={14} />
            </span>
          )}
          {at !== undefined && (
            <time className={styles.time} dateTime={new Date(at).toISOString()}>
              {format.short(at)}
            </time>
          )}
        </span>
        <span className={styles.line}>
          <Preview {...props} />
          <Badges unread={unread} mentioned={props.mentioned ?? false} />
        </span>
      </span>
    </>
  );
  const common = {
    className: styles.item,
    'aria-current': selected || undefined,
    'data-unread': unread > 0 || undefined,
    'data-muted': muted || undefined,
  };
  if (href === undefined) {
    return (
      <button type="button" {...common} onClick={onSelect}>
        {content}
      </button>
    );
  }
  return (
    <a {...common} href={href} onClick={(event) => followHere(event, onSelect)}>
      {content}
    </a>
  );
});

function followHere(event: MouseEvent, onSelect: () => void) {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0) return;
  event.preventDefault();
  onSelect();
}

function Preview({ typing = [], draft, preview, previewAuthor }: ChannelListItemProps) {
  const text = useTexts(channelTexts);
  const typed = typingText(typing, useTexts(typingTexts));
  if (typed !== undefined) {
    return (
      <span className={styles.preview} data-live>
        <TypingDots /> <span dir="auto">{typed}</span>
      </span>
    );
  }
  if (draft !== undefined && draft !== '') {
    return (
      <span className={styles.preview}>
        <span className={styles.draft}>{text('draft')}:</span> <bdi>{draft}</bdi>
      </span>
    );
  }
  if (preview === undefined) return <span className={styles.preview}>{text('noMessagesYet')}</span>;
  return (
    <>
      {previewAuthor !== undefined && (
        <>
          <bdi className={cx(styles.preview, styles.author)}>
            {text('previewAuthor', { name: previewAuthor })}
          </bdi>{' '}
        </>
      )}
      <span dir="auto" className={styles.preview}>
        <PreviewText text={preview} />
      </span>
    </>
  );
}

function Badges({ unread, mentioned }: { unread: number; mentioned: boolean }) {
  const text = useTexts(channelTexts);
  return (
    <>
      {mentioned && (
        <span className={styles.mention} role="img" aria-label={text('mentioned')}>
          @
        </span>
      )}
      {unread > 0 && (
        <span className={styles.badge} role="img" aria-label={text('unreadCount', { count: unread })}>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  );
}

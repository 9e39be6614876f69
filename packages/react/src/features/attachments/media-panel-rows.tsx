import { type Message, selectUserName } from '@parley/client';
import type { MediaItem } from '@parley/client/attachments';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { linkify } from '../../markdown/linkify.ts';
import { kindOf } from '../../summary/kinds.ts';
import { Dotted } from '../../ui/dotted.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { AudioPlayer } from './audio-player.tsx';
import { FileCard } from './file-card.tsx';
import { IconGoTo } from './media-icons.tsx';
import styles from './media-panel.module.css';
import { mediaTexts } from './media-texts.ts';

export type RowsProps = {
  items: readonly MediaItem[];
  onJump: (message: Message) => void;
  /** Undefined when all are there. */
  onMore: (() => void) | undefined;
};

/** The author and time of a shared item, with a link to its message. */
function Origin({ message, onJump }: Pick<RowsProps, 'onJump'> & { message: Message }) {
  const text = useTexts(mediaTexts);
  const format = useFormat();
  return (
    <div className={styles.origin}>
      <span>
        <Dotted
          parts={[
            message.user && selectUserName(message.user),
            <time key="at" dateTime={message.created_at}>
              {format.short(message.created_at)}
            </time>,
          ]}
        />
      </span>
      <IconButton label={text('goToMessage')} size="s" tooltip="none" onClick={() => onJump(message)}>
        <IconGoTo size={18} />
      </IconButton>
    </div>
  );
}

export function FileRows({ items, onJump }: RowsProps) {
  return (
    <ul className={styles.rows}>
      {items.map(({ key, message, attachment = {} }) => (
        <li key={key} className={styles.row}>
          {kindOf(attachment) === 'file' ? (
            <FileCard file={attachment} />
          ) : (
            <AudioPlayer sound={attachment} />
          )}
          <Origin message={message} onJump={onJump} />
        </li>
      ))}
    </ul>
  );
}

const linksIn = ({ message, attachment }: MediaItem): { href: string; title: string }[] => {
  const { title_link, og_scrape_url, title } = attachment ?? {};
  const preview = linkify(title_link ?? og_scrape_url ?? '').find((part) => part.kind === 'link');
  if (preview) return [{ href: preview.href, title: title ?? preview.href }];
  const hrefs = linkify(message.text).flatMap((part) => (part.kind === 'link' ? [part.href] : []));
  return [...new Set(hrefs)].map((href) => ({ href, title: href }));
};

export function LinkRows({ items, onJump }: RowsProps) {
  return (
    <ul className={styles.rows}>
      {items.map((item) => (
        <li key={item.key} className={styles.row}>
          {linksIn(item).map(({ href, title }) => (
            <a
              key={href}
              className={styles.link}
              href={href}
              target="_blank"
              rel="noopener noreferrer nofollow"
            >
              <span dir="auto" className={styles.title}>
                {title}
              </span>
              <span className={styles.host}>{new URL(href).hostname.replace(/^www\./, '')}</span>
            </a>
          ))}
          <Origin message={item.message} onJump={onJump} />
        </li>
      ))}
    </ul>
  );
}

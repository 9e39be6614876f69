import type { Attachment, VisibleMessage } from '@parley/client';
import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { sortAttachments } from '../../summary/kinds.ts';
import { IconLink } from '../../ui/icons.tsx';
import { IconPlay } from '../attachments/media-icons.tsx';
import { mediaTexts } from '../attachments/media-texts.ts';
import { formOfLink } from '../attachments/placeholder-sizes.ts';
import placeholders from '../attachments/placeholders.module.css';
import { useFileUrl } from '../attachments/use-file-url.ts';
import styles from './link-cards.module.css';

/** The address of a link: only http and https ever become links. */
const webUrl = (url: string | undefined): URL | undefined => {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed && (parsed.protocol === 'http:' || parsed.protocol === 'https:') ? parsed : undefined;
};

/** The cards of the pages that a message links to. */
export function LinkCards({ message }: { message: VisibleMessage }) {
  return (
    <div className={placeholders.links}>
      {sortAttachments(message.attachments).links.map((link, index) => (
        <LinkCard key={link.og_scrape_url ?? String(index)} link={link} />
      ))}
    </div>
  );
}

function LinkCard({ link }: { link: Attachment }) {
  const form = formOfLink(link);
  const url = webUrl(link.title_link) ?? webUrl(link.og_scrape_url);
  const host = url?.hostname.replace(/^www\./, '') ?? '';
  const content = (
    <>
      {form !== 'line' && <CardImage link={link} />}
      <span className={styles.words}>
        <span dir="auto" className={styles.site}>
          {[link.author_name, host].filter((part) => part && part !== '').join(' · ')}
        </span>
        <span dir="auto" className={styles.title}>
          {link.title || url?.href}
        </span>
        {form === 'card' && (
          <span dir="auto" className={styles.text}>
            {link.text}
          </span>
        )}
      </span>
    </>
  );
  if (!url) return null;
  return (
    <a
      className={`${placeholders.link} ${styles.card}`}
      data-form={form}
      href={url.href}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {content}
    </a>
  );
}

/** The picture of a page: only over https or from the Parley server, without a referrer. */
function CardImage({ link }: { link: Attachment }) {
  const text = useTexts(mediaTexts);
  const { src, onError } = useFileUrl(link.thumb_url ?? link.image_url);
  const [isBroken, setBroken] = useState(false);
  const isShown =
    src !== undefined && !isBroken && (src.startsWith('https:') || src.startsWith(location.origin));
  if (!isShown && formOfLink(link) === 'card' && (link.thumb_url ?? link.image_url) === undefined)
    return null;
  const fail = () => {
    onError();
    setBroken(true);
  };
  return (
    <span className={styles.image}>
      {isShown ? (
        <img src={src} alt="" loading="lazy" referrerPolicy="no-referrer" draggable={false} onError={fail} />
      ) : (
        <IconLink size={24} />
      )}
      {link.type === 'video' && (
        <span className={styles.play} role="img" aria-label={text('video')}>
          <IconPlay size={22} />
        </span>
      )}
    </span>
  );
}

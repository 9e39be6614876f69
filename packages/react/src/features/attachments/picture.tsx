import type { Attachment } from '@parley/client';
import type { ReactNode } from 'react';
import type { TextOf } from '../../i18n/text.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { IconBroken } from './media-icons.tsx';
import { mediaTexts } from './media-texts.ts';
import styles from './picture.module.css';
import { useFileUrl } from './use-file-url.ts';

/** Up to this many bytes a list loads the picture itself: sharp on dense screens without loading megabytes. */
const mostInline = 600_000;
const mostMoving = 8_000_000;

/** The thumbnail, or the picture itself where it is small or moves. */
const inlineUrl = (image: Attachment, isLarge: boolean): string | undefined => {
  const { image_url: whole, thumb_url: thumb, file_size: size = Number.POSITIVE_INFINITY } = image;
  const isMoving = image.mime_type === 'image/gif' && size <= mostMoving;
  return (isMoving || (isLarge && size <= mostInline) ? whole : thumb) ?? whole ?? thumb;
};

/** The description that the sender gave; else the name of the file. */
export const altOf = (image: Attachment, what: string, text: TextOf<typeof mediaTexts>): string => {
  const { alt }: Attachment & { alt?: unknown } = image;
  const name = (typeof alt === 'string' && alt) || image.text || image.title;
  return name ? text('named', { what, name }) : what;
};

export type PictureProps = {
  image: Attachment;
  alt: string;
  isLarge?: boolean;
  isSmall?: boolean;
  /** Called by a press, once the picture is loaded. */
  onOpen: () => void;
  /** Drawn over the picture. */
  children?: ReactNode;
};

/** A picture that opens; one that cannot be loaded says so in a box of the same size. */
export function Picture({ image, alt, isLarge = false, isSmall = false, onOpen, children }: PictureProps) {
  const text = useTexts(mediaTexts);
  const { src, status, onError, retry } = useFileUrl(inlineUrl(image, isLarge));
  if (status === 'gone' || status === 'failed') {
    const isGone = status === 'gone';
    return (
      <button type="button" className={styles.tile} data-broken disabled={isGone} onClick={retry}>
        <IconBroken size={26} />
        <span className={styles.hidden}>{alt}</span>
        <span className={styles.why}>{isGone ? text('gone') : text('couldNotLoad')}</span>
        {!isGone && <span className={styles.again}>{text('tryAgain')}</span>}
      </button>
    );
  }
  return (
    <button type="button" className={styles.tile} data-small={isSmall || undefined} onClick={onOpen}>
      {src === undefined ? (
        <span className={styles.hidden}>{alt}</span>
      ) : (
        <img src={src} alt={alt} draggable={false} referrerPolicy="no-referrer" onError={onError} />
      )}
      {children}
    </button>
  );
}

import type { Attachment, VisibleMessage } from '@parley/client';
import { useState } from 'react';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './image-grid.module.css';
import type { LightboxProps } from './lightbox.tsx';
import { mediaTexts } from './media-texts.ts';
import { altOf, Picture } from './picture.tsx';
import { isSmall, mostTiles, sizeOfImages } from './placeholder-sizes.ts';
import placeholders from './placeholders.module.css';

const Lightbox = lazyPart<LightboxProps>(async () => (await import('./lightbox.tsx')).Lightbox);

export type ImageGridProps = { images: readonly Attachment[]; message: VisibleMessage };

/** One picture as it is, several as tiles; the last tile leads to those that do not fit. */
export function ImageGrid({ images, message }: ImageGridProps) {
  const text = useTexts(mediaTexts);
  const [open, setOpen] = useState<number>();
  const format = useFormat();
  const shown = images.slice(0, mostTiles);
  const hidden = images.length - shown.length;
  const nameOf = (image: Attachment, index: number) => {
    const what = images.length === 1 ? text('photo') : text('photoOf', { n: index + 1, all: images.length });
    return altOf(image, what, text);
  };
  return (
    <div
      className={`${placeholders.visual} ${styles.grid}`}
      style={sizeOfImages(images)}
      data-count={shown.length}
      onPointerEnter={() => void Lightbox.preload().catch(() => {})}
    >
      {shown.map((image, index) => (
        <Picture
          key={image.image_url ?? String(index)}
          image={image}
          alt={nameOf(image, index)}
          isLarge={images.length === 1}
          isSmall={images.length === 1 && isSmall(image)}
          onOpen={() => setOpen(index)}
        >
          {hidden > 0 && index === mostTiles - 1 && (
            <span className={styles.more}>
              <span dir="ltr" aria-hidden="true">
                +{hidden}
              </span>
              <span className={styles.hidden}>{text('more', { count: hidden })}</span>
            </span>
          )}
        </Picture>
      ))}
      {open !== undefined && (
        <Lightbox
          items={images.map((image, index) => ({
            attachment: image,
            alt: nameOf(image, index),
            by: message.user?.name,
            at: format.full(message.created_at),
          }))}
          first={open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  );
}

import type { Attachment } from '@parley/client';
import { type Ref, useImperativeHandle, useRef, useState } from 'react';
import { FileCard } from './file-card.tsx';
import styles from './lightbox.module.css';
import { useFileUrl } from './use-file-url.ts';
import { useZoom } from './use-zoom.ts';
import type { Swipe } from './zoom.ts';

export type LightboxItem = {
  attachment: Attachment;
  alt: string;
  by?: string | undefined;
  at?: string | undefined;
  /** Goes to the message of the picture. */
  onGoTo?: (() => void) | undefined;
};

export type StageHandle = { zoomBy: (factor: number) => void };

type ImageProps = {
  item: LightboxItem;
  onSwipe: (swipe: Swipe) => void;
  ref: Ref<StageHandle>;
};

/** An enlarged picture; its thumbnail is shown until it is loaded. */
export function LightboxImage({ item, onSwipe, ref }: ImageProps) {
  const { attachment } = item;
  const { image_url: url = attachment.thumb_url, width = 0, height = 0 } = attachment;
  const file = useFileUrl(url);
  const thumb = useFileUrl(attachment.thumb_url ?? url);
  const stage = useRef<HTMLDivElement>(null);
  const image = useRef<HTMLImageElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const natural = () => ({
    width: image.current?.naturalWidth || width,
    height: image.current?.naturalHeight || height,
  });
  const { view, drawn, zoomBy, handlers } = useZoom({ stage, natural, onSwipe });
  useImperativeHandle(ref, () => ({ zoomBy }));
  if (file.status === 'gone' || file.status === 'failed')
    return (
      <div className={styles.stage} data-missing>
        <FileCard file={{ ...attachment, asset_url: url ?? '' }} />
      </div>
    );
  const x = view.x + (drawn?.x ?? 0);
  const y = view.y + Math.max(0, drawn?.y ?? 0);
  const size = width > 0 ? { width, height } : {};
  return (
    <div ref={stage} className={styles.stage} data-zoomed={view.scale > 1 || undefined} {...handlers}>
      <div
        className={styles.picture}
        data-held={drawn !== undefined || undefined}
        style={{ transform: `translate(${x}px, ${y}px) scale(${view.scale})` }}
      >
        {!isLoaded && thumb.src !== undefined && (
          <img {...size} src={thumb.src} alt="" draggable={false} aria-hidden="true" />
        )}
        {file.src !== undefined && (
          <img
            {...size}
            ref={image}
            src={file.src}
            alt={item.alt}
            draggable={false}
            referrerPolicy="no-referrer"
            data-loaded={isLoaded || undefined}
            onLoad={() => setLoaded(true)}
            onError={file.onError}
          />
        )}
      </div>
    </div>
  );
}

export function LightboxVideo({ item }: { item: LightboxItem }) {
  const { src, status, onError } = useFileUrl(item.attachment.asset_url);
  return (
    <div className={styles.stage} data-video>
      {status === 'gone' || status === 'failed' ? (
        <FileCard file={item.attachment} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: people film without captions
        <video
          className={styles.video}
          controls
          autoPlay
          playsInline
          aria-label={item.alt}
          src={src}
          onError={onError}
        />
      )}
    </div>
  );
}

export function PreloadedImage({ item }: { item: LightboxItem }) {
  const { src } = useFileUrl(item.attachment.image_url);
  return src === undefined ? null : <img className={styles.preloaded} src={src} alt="" aria-hidden="true" />;
}

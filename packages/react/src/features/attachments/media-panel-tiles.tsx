import { selectUserName } from '@parley/client';
import type { MediaItem } from '@parley/client/attachments';
import { useState } from 'react';
import type { TextOf } from '../../i18n/text.ts';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { kindOf } from '../../summary/kinds.ts';
import { durationText } from './file-look.ts';
import { Lightbox } from './lightbox.tsx';
import type { LightboxItem } from './lightbox-stage.tsx';
import { IconFilm, IconPlay } from './media-icons.tsx';
import styles from './media-panel.module.css';
import type { RowsProps } from './media-panel-rows.tsx';
import { mediaTexts } from './media-texts.ts';
import { monthsOf } from './months.ts';
import { altOf, Picture } from './picture.tsx';
import { useFileUrl } from './use-file-url.ts';

/** Pictures and videos as tiles, by month; a press shows them all, from that one on. */
export function MediaTiles({ items, onJump, onMore }: RowsProps) {
  const text = useTexts(mediaTexts);
  const format = useFormat();
  const [open, setOpen] = useState<number>();
  const shown: LightboxItem[] = items.map(({ message, attachment = {} }) => ({
    attachment,
    alt: altOf(attachment, kindOf(attachment) === 'video' ? text('video') : text('photo'), text),
    by: message.user && selectUserName(message.user),
    at: format.full(message.created_at),
    onGoTo: () => onJump(message),
  }));
  const tile = (item: MediaItem) => {
    const index = items.indexOf(item);
    return <Tile key={item.key} item={item} alt={nameOf(shown[index], text)} onOpen={() => setOpen(index)} />;
  };
  return (
    <>
      {monthsOf(items, format.locale).map(({ month, items: some }) => (
        <section key={month} aria-label={month}>
          <h2 className={styles.month}>{month}</h2>
          <div className={styles.tiles}>{some.map(tile)}</div>
        </section>
      ))}
      {open !== undefined && (
        <Lightbox items={shown} first={open} onClose={() => setOpen(undefined)} onNearEnd={onMore} />
      )}
    </>
  );
}

const nameOf = (item: LightboxItem | undefined, text: TextOf<typeof mediaTexts>): string =>
  item?.by === undefined ? (item?.alt ?? '') : text('named', { what: item.by, name: item.alt });

type TileProps = { item: MediaItem; alt: string; onOpen: () => void };

function Tile({ item: { attachment = {} }, alt, onOpen }: TileProps) {
  if (kindOf(attachment) === 'image') return <Picture image={attachment} alt={alt} onOpen={onOpen} />;
  return (
    <button type="button" className={styles.video} aria-label={alt} onClick={onOpen}>
      <VideoFace url={attachment.asset_url} poster={attachment.thumb_url} />
      <span className={styles.length}>
        <IconPlay size={12} />
        {attachment.duration !== undefined && durationText(attachment.duration)}
      </span>
    </button>
  );
}

function VideoFace({ url, poster }: { url: string | undefined; poster: string | undefined }) {
  const { src, status, onError } = useFileUrl(poster ?? url);
  if (src === undefined || status === 'failed') return <IconFilm size={26} />;
  if (poster !== undefined) return <img src={src} alt="" onError={onError} />;
  // The first frame of a video is its tile.
  return (
    <video src={`${src}#t=0.1`} preload="metadata" muted tabIndex={-1} aria-hidden="true" onError={onError} />
  );
}

import type { Attachment } from '@parley/client';
import type { ComponentType } from 'react';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { IconMedia } from '../../ui/icon-media.tsx';
import type { IconProps } from '../../ui/icons.tsx';
import styles from './file-card.module.css';
import { endingOf, type FileFamily, familyOf, splitName } from './file-look.ts';
import { fileSize } from './file-size.ts';
import {
  IconArchive,
  IconCode,
  IconDownload,
  IconFilm,
  IconPage,
  IconSheet,
  IconSound,
} from './media-icons.tsx';
import { mediaTexts } from './media-texts.ts';
import placeholders from './placeholders.module.css';
import { useFileUrl } from './use-file-url.ts';
import { useSave } from './use-save.ts';

const icons: Readonly<Record<FileFamily, ComponentType<IconProps>>> = {
  pdf: IconPage,
  text: IconPage,
  sheet: IconSheet,
  slides: IconMedia,
  archive: IconArchive,
  code: IconCode,
  image: IconMedia,
  video: IconFilm,
  audio: IconSound,
  other: IconPage,
};

export type FileCardProps = { file: Attachment };

/** A file by its name, kind and size; a press saves it. A deleted one says so. */
export function FileCard({ file }: FileCardProps) {
  const text = useTexts(mediaTexts);
  const format = useFormat();
  const save = useSave(text);
  const { status } = useFileUrl(file.asset_url ?? file.image_url);
  const isGone = status === 'gone';
  const name = file.title || text('file');
  const [start, end] = splitName(name);
  const Icon = icons[familyOf(file)];
  const size = file.file_size === undefined ? undefined : fileSize(file.file_size, format.locale);
  return (
    <button
      type="button"
      className={`${placeholders.card} ${styles.card}`}
      data-kind="file"
      disabled={isGone}
      aria-label={
        isGone
          ? `${name}, ${text('gone')}`
          : [text('downloadNamed', { name }), size].filter(Boolean).join(', ')
      }
      title={name}
      onClick={() => save(file.asset_url ?? file.image_url)}
    >
      <span className={styles.icon} data-family={familyOf(file)}>
        <Icon size={22} />
      </span>
      <span className={styles.words}>
        <span dir="auto" className={styles.name}>
          <span className={styles.start}>{start}</span>
          <span>{end}</span>
        </span>
        <span className={styles.details}>
          <Dotted parts={isGone ? [text('gone')] : [endingOf(name).toUpperCase(), size]} />
        </span>
      </span>
      {!isGone && (
        <span className={styles.save} aria-hidden="true">
          <IconDownload size={18} />
        </span>
      )}
    </button>
  );
}

import type { VisibleMessage } from '@parley/client';
import type { ReactNode } from 'react';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { hasFiles, kindOf, sortAttachments } from '../../summary/kinds.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { sizeOfImages, sizeOfVideo } from './placeholder-sizes.ts';
import styles from './placeholders.module.css';

type Props = { message: VisibleMessage };

// Most channels have no attachments: the part is loaded with the first message that has some.
const FilesOf = lazyPart<Props>(async () => (await import('./attachment-list.tsx')).AttachmentList, {
  Waiting: FilesWaiting,
  Missing: FilesMissing,
});

const QueuedOf = lazyPart<Props>(async () => (await import('./queued-list.tsx')).QueuedList);

/** The files above the text of a message, or undefined. Those of a message that waits for its uploads are shown with their progress. */
export const filesOf = (message: VisibleMessage): ReactNode => {
  if (message.attachments.some((one) => 'upload_id' in one)) return <QueuedOf message={message} />;
  return hasFiles(message.attachments) ? <FilesOf message={message} /> : undefined;
};

/** Boxes with the final size of all attachments, to the pixel. */
function Placeholders({ message, note }: Props & { note?: string }) {
  const { images, videos, sounds, files } = sortAttachments(message.attachments);
  const cards = [...sounds, ...files];
  const isVisual = images.length + videos.length > 0;
  return (
    <div className={styles.attachments} data-visual={isVisual || undefined}>
      {images.length > 0 && <div className={styles.visual} style={sizeOfImages(images)} />}
      {videos.map((video, index) => (
        <div key={`video-${String(index)}`} className={styles.visual} style={sizeOfVideo(video)} />
      ))}
      {cards.map((card, index) => (
        <div key={`card-${String(index)}`} className={styles.card} data-kind={kindOf(card)} />
      ))}
      {note !== undefined && <span className={styles.note}>{note}</span>}
    </div>
  );
}

function FilesWaiting({ message }: Props) {
  return <Placeholders message={message} />;
}

function FilesMissing({ message }: Props) {
  return <Placeholders message={message} note={useTexts(commonTexts)('partMissing')} />;
}

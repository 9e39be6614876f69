import type { VisibleMessage } from '@parley/client';
import { sortAttachments } from '../../summary/kinds.ts';
import { AudioPlayer } from './audio-player.tsx';
import { FileCard } from './file-card.tsx';
import { ImageGrid } from './image-grid.tsx';
import placeholders from './placeholders.module.css';
import { VideoPlayer } from './video-player.tsx';

/** The pictures, videos, sounds and files of a message. */
export function AttachmentList({ message }: { message: VisibleMessage }) {
  const { images, videos, sounds, files } = sortAttachments(message.attachments);
  const isVisual = images.length + videos.length > 0;
  return (
    <div className={placeholders.attachments} data-visual={isVisual || undefined}>
      {images.length > 0 && <ImageGrid images={images} message={message} />}
      {videos.map((video, index) => (
        <VideoPlayer key={video.asset_url ?? String(index)} video={video} />
      ))}
      {sounds.map((sound, index) => (
        <AudioPlayer key={sound.asset_url ?? String(index)} sound={sound} />
      ))}
      {files.map((file, index) => (
        <FileCard key={file.asset_url ?? String(index)} file={file} />
      ))}
    </div>
  );
}

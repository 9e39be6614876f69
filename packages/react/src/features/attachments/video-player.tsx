import type { Attachment } from '@parley/client';
import { useRef } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { FileCard } from './file-card.tsx';
import { mediaTexts } from './media-texts.ts';
import { sizeOfVideo } from './placeholder-sizes.ts';
import placeholders from './placeholders.module.css';
import { useFileUrl } from './use-file-url.ts';
import styles from './video-player.module.css';

export type VideoPlayerProps = { video: Attachment };

/** Continues at the same position after another URL for the same video. */
const resume = (element: HTMLVideoElement, at: number, wasPlaying: boolean): void => {
  if (at > 0) element.currentTime = at;
  if (wasPlaying) element.play().catch(() => {});
};

/** A video with the browser's own controls; one that this browser cannot play is shown as a file. */
export function VideoPlayer({ video }: VideoPlayerProps) {
  const text = useTexts(mediaTexts);
  const { src, status, onError } = useFileUrl(video.asset_url);
  const poster = useFileUrl(video.thumb_url);
  const left = useRef({ at: 0, wasPlaying: false });
  const isMissing = status === 'gone' || status === 'failed';
  const name = video.title ? text('named', { what: text('video'), name: video.title }) : text('video');
  return (
    <div className={placeholders.visual} style={sizeOfVideo(video)}>
      {isMissing ? (
        <div className={styles.missing}>
          <FileCard file={video} />
        </div>
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: people film without captions
        <video
          className={styles.video}
          controls
          playsInline
          preload="metadata"
          aria-label={name}
          src={src}
          poster={poster.src}
          onTimeUpdate={({ currentTarget: { currentTime, paused } }) => {
            left.current = { at: currentTime, wasPlaying: !paused };
          }}
          onLoadedMetadata={({ currentTarget }) => {
            if (currentTarget.currentTime === 0)
              resume(currentTarget, left.current.at, left.current.wasPlaying);
          }}
          onError={onError}
        />
      )}
    </div>
  );
}

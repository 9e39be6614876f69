import type { Attachment } from '@parley/client';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { kindOf } from '../../summary/kinds.ts';
import styles from './audio-player.module.css';
import { FileCard } from './file-card.tsx';
import { durationText } from './file-look.ts';
import { IconMic, IconPause, IconPlay } from './media-icons.tsx';
import { mediaTexts } from './media-texts.ts';
import placeholders from './placeholders.module.css';
import { useFileUrl } from './use-file-url.ts';
import { type Playing, usePlaying } from './use-playing.ts';
import { useSound } from './use-sound.ts';
import { useWaveform } from './use-waveform.ts';

export type AudioPlayerProps = { sound: Attachment };

/** A sound or a voice message; one that this browser cannot play is shown as a file. */
export function AudioPlayer({ sound }: AudioPlayerProps) {
  const text = useTexts(mediaTexts);
  const { src, status, onError } = useFileUrl(sound.asset_url);
  const audio = useSound(sound.asset_url ?? '');
  const playing = usePlaying(audio, { src, duration: sound.duration, onError });
  const bars = useWaveform(sound, src);
  const isVoice = kindOf(sound) === 'voice';
  const name = isVoice ? text('voice') : sound.title || text('audio');
  if (status === 'gone' || status === 'failed')
    return (
      <div className={placeholders.card} data-kind={kindOf(sound)}>
        <FileCard file={isVoice ? { ...sound, title: name } : sound} />
      </div>
    );
  const { isPlaying } = playing;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of controls, not of form fields
    <div
      className={`${placeholders.card} ${styles.player}`}
      data-kind={kindOf(sound)}
      role="group"
      aria-label={name}
    >
      <button
        type="button"
        className={styles.play}
        aria-label={isPlaying ? text('pause') : text('play')}
        onClick={playing.toggle}
      >
        {isPlaying ? <IconPause size={20} /> : <IconPlay size={20} />}
      </button>
      <div className={styles.middle}>
        {!isVoice && (
          <span dir="auto" className={styles.name} title={name}>
            {name}
          </span>
        )}
        <Track playing={playing} bars={bars} />
      </div>
      <End playing={playing} isVoice={isVoice} />
    </div>
  );
}

type EndProps = { playing: Playing; isVoice: boolean };

function End({ playing, isVoice }: EndProps) {
  const text = useTexts(mediaTexts);
  const { isPlaying, at, duration } = playing;
  return (
    <div className={styles.end}>
      <span className={styles.time}>
        {isVoice && !isPlaying && at === 0 && <IconMic size={14} />}
        {durationText(isPlaying || at > 0 ? at : duration)}
      </span>
      <button
        type="button"
        className={styles.speed}
        aria-label={text('speed', { n: playing.speed })}
        onClick={playing.nextSpeed}
      >
        {playing.speed}×
      </button>
    </div>
  );
}

const stepSeconds = 5;

/** The position that a key seeks to; undefined for keys that the player does not use. */
const seekBy = (key: string, { at, duration }: Playing, isRtl: boolean): number | undefined => {
  const ahead = isRtl ? 'ArrowLeft' : 'ArrowRight';
  const back = isRtl ? 'ArrowRight' : 'ArrowLeft';
  if (key === ahead || key === 'ArrowUp') return at + stepSeconds;
  if (key === back || key === 'ArrowDown') return at - stepSeconds;
  if (key === 'PageUp') return at + duration / 10;
  if (key === 'PageDown') return at - duration / 10;
  if (key === 'Home') return 0;
  return key === 'End' ? duration : undefined;
};

type TrackProps = { playing: Playing; bars: number[] | undefined };

function Track({ playing, bars }: TrackProps) {
  const text = useTexts(mediaTexts);
  const { at, duration } = playing;
  const share = duration > 0 ? Math.min(1, at / duration) : 0;
  const isRtl = (element: Element) => getComputedStyle(element).direction === 'rtl';
  const seekTo = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, right, width } = currentTarget.getBoundingClientRect();
    const way = isRtl(currentTarget) ? right - clientX : clientX - left;
    playing.seek((way / Math.max(1, width)) * duration);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = seekBy(event.key, playing, isRtl(event.currentTarget));
    if (to === undefined) return;
    event.preventDefault();
    playing.seek(to);
  };
  const peaks = (bars ?? []).map((height, place) => ({ height, place }));
  return (
    <div
      className={styles.track}
      role="slider"
      tabIndex={0}
      aria-label={text('seek')}
      aria-valuemin={0}
      aria-valuemax={Math.round(duration)}
      aria-valuenow={Math.round(at)}
      aria-valuetext={text('position', { at: durationText(at), all: durationText(duration) })}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        seekTo(event);
      }}
      onPointerMove={(event) => event.buttons > 0 && seekTo(event)}
      onKeyDown={onKeyDown}
    >
      {bars === undefined ? (
        <span className={styles.bar}>
          <span style={{ inlineSize: `${share * 100}%` }} />
        </span>
      ) : (
        peaks.map(({ height, place }) => (
          <span
            key={place}
            className={styles.peak}
            data-past={(place + 0.5) / peaks.length < share || undefined}
            style={{ blockSize: `${Math.round(12 + height * 88)}%` }}
          />
        ))
      )}
    </div>
  );
}

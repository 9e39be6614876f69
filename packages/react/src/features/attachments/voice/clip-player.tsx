import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTexts } from '../../../i18n/text-context.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import type { Clip } from './recorder.ts';
import { voiceTexts } from './texts.ts';
import { timeOf, VoiceBars } from './voice-bars.tsx';
import { IconPauseVoice, IconPlayVoice } from './voice-icons.tsx';
import styles from './voice-panel.module.css';

export type ClipPlayerProps = {
  clip: Clip;
  main: RefObject<HTMLButtonElement | null>;
};

/** Plays a clip before it is sent. Only the recorder knows the length: the file itself does not contain it. */
export function ClipPlayer({ clip, main }: ClipPlayerProps) {
  const text = useTexts(voiceTexts);
  const sound = useRef<HTMLAudioElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [at, setAt] = useState(0);
  useEffect(() => {
    const url = URL.createObjectURL(clip.blob);
    if (sound.current) sound.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [clip]);
  const toggle = () => {
    if (isPlaying) sound.current?.pause();
    else void sound.current?.play().catch(() => setPlaying(false));
  };
  return (
    <>
      <IconButton ref={main} label={isPlaying ? text('pause') : text('play')} onClick={toggle}>
        {isPlaying ? <IconPauseVoice /> : <IconPlayVoice />}
      </IconButton>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written down yet what is being recorded */}
      <audio
        ref={sound}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onEnded={() => setAt(0)}
        onTimeUpdate={({ currentTarget }) => setAt(currentTarget.ended ? 0 : currentTarget.currentTime)}
      />
      <span className={styles.time}>{timeOf(at > 0 ? at : clip.seconds)}</span>
      <VoiceBars levels={clip.waveform} played={clip.seconds > 0 && at > 0 ? at / clip.seconds : 1} />
    </>
  );
}

import { type RefObject, useEffect, useRef } from 'react';
import { errorTexts } from '../../../chat/error-texts.ts';
import { useReadable } from '../../../chat/use-readable.ts';
import type { TextOf } from '../../../i18n/text.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { Announcer } from '../../../ui/announcer.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconClose, IconSend, IconTrash } from '../../../ui/icons.tsx';
import { ClipPlayer } from './clip-player.tsx';
import { IconMicrophone } from './icon-microphone.tsx';
import type { Recorder, RecorderState } from './recorder.ts';
import { voiceTexts } from './texts.ts';
import { useVoiceDraft, type VoicePanelProps } from './use-voice-draft.ts';
import { timeOf, VoiceBars } from './voice-bars.tsx';
import { IconPauseVoice, IconStopVoice } from './voice-icons.tsx';
import styles from './voice-panel.module.css';

/** The panel in the place of the field, in which a voice message is recorded, played and sent. */
export function VoicePanel(props: VoicePanelProps) {
  const { voice, send } = useVoiceDraft(props);
  const { recorder } = voice;
  const text = useTexts(voiceTexts);
  const errorText = useTexts(errorTexts);
  const state = useReadable(recorder.state);
  const sending = useReadable(voice.sending);
  const main = useRef<HTMLButtonElement>(null);
  // The button that had the focus may be gone with the state before.
  useEffect(() => {
    if (state.kind === 'recording' || state.kind === 'ready') main.current?.focus();
  }, [state.kind]);
  const canSend = props.wait === 0 && !sending && state.kind !== 'asking' && state.kind !== 'ending';
  return (
    <section className={styles.panel} aria-label={text('panel')} data-state={state.kind}>
      <Announcer text={sending ? text('sending') : statusOf(state, text)} />
      {sending ? (
        <Sending progress={sending.progress} onStop={() => sending.stop.abort()} />
      ) : (
        <>
          <IconButton label={text('discard')} onClick={voice.stop}>
            <IconTrash />
          </IconButton>
          <Middle recorder={recorder} main={main} />
        </>
      )}
      <IconButton
        label={props.wait > 0 ? errorText('CoolDown', { count: props.wait }) : text('send')}
        variant="accent"
        disabled={!canSend}
        onClick={() => void send()}
      >
        <IconSend />
      </IconButton>
    </section>
  );
}

const statusOf = (state: RecorderState, text: TextOf<typeof voiceTexts>): string => {
  if (state.kind === 'ready') return text('recorded', { time: timeOf(state.clip.seconds) });
  if (state.kind === 'recording' || state.kind === 'paused') return text(state.kind);
  return state.kind === 'asking' ? text('asking') : '';
};

type MiddleProps = { recorder: Recorder; main: RefObject<HTMLButtonElement | null> };

function Middle({ recorder, main }: MiddleProps) {
  const text = useTexts(voiceTexts);
  const state = useReadable(recorder.state);
  if (state.kind === 'ready') return <ClipPlayer clip={state.clip} main={main} />;
  if (state.kind === 'asking' || state.kind === 'idle')
    return <p className={styles.words}>{text('asking')}</p>;
  const isPaused = state.kind === 'paused';
  return (
    <>
      <LiveBars recorder={recorder} isPaused={isPaused} />
      <IconButton
        ref={main}
        label={isPaused ? text('resume') : text('pause')}
        onClick={isPaused ? recorder.resume : recorder.pause}
      >
        {isPaused ? <IconMicrophone /> : <IconPauseVoice />}
      </IconButton>
      <IconButton label={text('stop')} onClick={() => void recorder.finish()}>
        <IconStopVoice />
      </IconButton>
    </>
  );
}

/** A component of its own, since it is drawn many times a second. */
function LiveBars({ recorder, isPaused }: { recorder: Recorder; isPaused: boolean }) {
  const { seconds, levels } = useReadable(recorder.meter);
  return (
    <>
      <span className={styles.dot} data-paused={isPaused || undefined} />
      <span role="timer" className={styles.time}>
        {timeOf(seconds)}
      </span>
      <VoiceBars levels={levels} isLive />
    </>
  );
}

type SendingProps = { progress: number; onStop: () => void };

function Sending({ progress, onStop }: SendingProps) {
  const text = useTexts(voiceTexts);
  return (
    <>
      <IconButton label={text('stopSending')} onClick={onStop}>
        <IconClose />
      </IconButton>
      <progress className={styles.progress} max={1} value={progress} aria-label={text('sending')} />
    </>
  );
}

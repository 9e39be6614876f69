import { type RefObject, useEffect, useRef } from 'react';
import { useReadable } from '../../../chat/use-readable.ts';
import { fillIn } from '../../../i18n/fill-in.ts';
import { useText } from '../../../i18n/text-context.tsx';
import { Announcer } from '../../../ui/announcer.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { IconClose, IconSend, IconTrash } from '../../../ui/icons.tsx';
import { ClipPlayer } from './clip-player.tsx';
import type { VoiceTexts } from './english.ts';
import type { Recorder, RecorderState } from './recorder.ts';
import { useVoiceDraft, type VoicePanelProps } from './use-voice-draft.ts';
import { timeOf, VoiceBars } from './voice-bars.tsx';
import { IconMicrophone, IconPauseVoice, IconStopVoice } from './voice-icons.tsx';
import styles from './voice-panel.module.css';

/** In the place of the field: what is being recorded, can be listened to, and is sent. */
export function VoicePanel(props: VoicePanelProps) {
  const { voice, texts, send } = useVoiceDraft(props);
  const { recorder } = voice;
  const text = useText();
  const state = useReadable(recorder.state);
  const sending = useReadable(voice.sending);
  const main = useRef<HTMLButtonElement>(null);
  // The button that had the focus may be gone with the state before.
  useEffect(() => {
    if (state.kind === 'recording' || state.kind === 'ready') main.current?.focus();
  }, [state.kind]);
  const canSend = props.wait === 0 && !sending && state.kind !== 'asking' && state.kind !== 'ending';
  return (
    <section className={styles.panel} aria-label={texts.panel} data-state={state.kind}>
      <Announcer text={sending ? texts.sending : statusOf(state, texts)} />
      {sending ? (
        <Sending progress={sending.progress} texts={texts} onStop={() => sending.stop.abort()} />
      ) : (
        <>
          <IconButton label={texts.discard} onClick={voice.close}>
            <IconTrash />
          </IconButton>
          <Middle recorder={recorder} texts={texts} main={main} />
        </>
      )}
      <IconButton
        label={props.wait > 0 ? text('slowMode', { n: props.wait }) : texts.send}
        variant="accent"
        disabled={!canSend}
        onClick={() => void send()}
      >
        <IconSend />
      </IconButton>
    </section>
  );
}

const statusOf = (state: RecorderState, texts: VoiceTexts): string => {
  if (state.kind === 'ready') return fillIn(texts.recorded, { time: timeOf(state.clip.seconds) });
  if (state.kind === 'recording' || state.kind === 'paused') return texts[state.kind];
  return state.kind === 'asking' ? texts.asking : '';
};

type MiddleProps = { recorder: Recorder; texts: VoiceTexts; main: RefObject<HTMLButtonElement | null> };

function Middle({ recorder, texts, main }: MiddleProps) {
  const state = useReadable(recorder.state);
  if (state.kind === 'ready') return <ClipPlayer clip={state.clip} texts={texts} main={main} />;
  if (state.kind === 'asking' || state.kind === 'idle') return <p className={styles.words}>{texts.asking}</p>;
  const isPaused = state.kind === 'paused';
  return (
    <>
      <LiveBars recorder={recorder} isPaused={isPaused} />
      <IconButton
        ref={main}
        label={isPaused ? texts.resume : texts.pause}
        onClick={isPaused ? recorder.resume : recorder.pause}
      >
        {isPaused ? <IconMicrophone /> : <IconPauseVoice />}
      </IconButton>
      <IconButton label={texts.stop} onClick={() => void recorder.finish()}>
        <IconStopVoice />
      </IconButton>
    </>
  );
}

/** Apart, since it is drawn many times a second. */
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

type SendingProps = { progress: number; texts: VoiceTexts; onStop: () => void };

function Sending({ progress, texts, onStop }: SendingProps) {
  return (
    <>
      <IconButton label={texts.stopSending} onClick={onStop}>
        <IconClose />
      </IconButton>
      <progress className={styles.progress} max={1} value={progress} aria-label={texts.sending} />
    </>
  );
}

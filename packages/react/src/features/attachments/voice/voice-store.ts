import type { Feature, ParleyClient } from '@parley/client';
import { type Box, createBox } from '../../../chat/readables.ts';
import { browserMicrophone } from './microphone.ts';
import { closeRecording, openRecordings } from './open-recordings.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export type VoiceDraft = {
  recorder: Recorder;
  /** The progress while it is being sent. */
  sending: Box<{ progress: number; stop: AbortController } | undefined>;
  /** The recording ended because it may not be longer. */
  isFull: Box<boolean>;
  /** Ends it: sent, discarded, or its user signed out. */
  stop(): void;
  /** Marks it as shown; returns the function that ends it. Out of sight it pauses, and the recording is kept. */
  show(): () => void;
};

const create = (client: ParleyClient, key: string, forget: () => void): VoiceDraft => {
  const { clock } = client.http.wire.environment;
  const isFull = createBox(false);
  const recorder = createRecorder({
    ...{ microphone: browserMicrophone, clock },
    onLimit: () => isFull.set(true),
  });
  let shown = 0;
  const sending = createBox<ReturnType<VoiceDraft['sending']['get']>>(undefined);
  const stop = () => {
    sending.get()?.stop.abort();
    recorder.discard();
    forget();
    closeRecording(client.feature(openRecordings), key);
  };
  const leave = () => {
    if (shown > 0) return;
    const { kind } = recorder.state.get();
    if (kind === 'idle' || kind === 'asking') stop();
    else void recorder.finish();
  };
  return {
    ...{ recorder, isFull, stop, sending },
    show: () => {
      shown++;
      return () => {
        shown--;
        // A part that is mounted anew calls `show` again at once.
        clock.setTimeout(leave, 0);
      };
    },
  };
};

/** The voice messages of drafts, by the key of the draft. */
export const voiceDrafts: Feature<{ of(key: string): VoiceDraft }> = {
  name: 'voice-drafts',
  create: ({ client, resets }) => {
    const all = new Map<string, VoiceDraft>();
    resets.push(() => {
      for (const voice of [...all.values()]) voice.stop();
    });
    return {
      of: (key) => {
        const draft = all.get(key) ?? create(client, key, () => all.delete(key));
        all.set(key, draft);
        return draft;
      },
    };
  },
};

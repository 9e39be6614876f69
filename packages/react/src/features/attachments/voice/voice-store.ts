import type { ParleyClient } from '@parley/client';
import { type Box, createBox } from '../../../chat/readables.ts';
import { browserMicrophone } from './microphone.ts';
import { closeRecording } from './open-recordings.ts';
import { createRecorder, type Recorder } from './recorder.ts';

export type VoiceDraft = {
  recorder: Recorder;
  /** How far it has gone, while it is on its way. */
  sending: Box<{ progress: number; stop: AbortController } | undefined>;
  /** The recording ended because it may not be longer. */
  isFull: Box<boolean>;
  /** Done with it: sent or discarded. */
  close(): void;
  /** Somebody looks at it; returns the end of that. Unseen it does not go on listening, and what was recorded waits. */
  look(): () => void;
};

const kept = new WeakMap<ParleyClient, Map<string, VoiceDraft>>();

const create = (client: ParleyClient, key: string, forget: () => void): VoiceDraft => {
  const { clock } = client.http.wire.environment;
  const isFull = createBox(false);
  const recorder = createRecorder({
    ...{ microphone: browserMicrophone, clock },
    onLimit: () => isFull.set(true),
  });
  let lookers = 0;
  const close = () => {
    recorder.discard();
    forget();
    closeRecording(client, key);
  };
  const leave = () => {
    if (lookers > 0) return;
    const { kind } = recorder.state.get();
    if (kind === 'idle' || kind === 'asking') close();
    else void recorder.finish();
  };
  return {
    ...{ recorder, isFull, close, sending: createBox<ReturnType<VoiceDraft['sending']['get']>>(undefined) },
    look: () => {
      lookers++;
      return () => {
        lookers--;
        // A part that is drawn anew looks again at once.
        clock.setTimeout(leave, 0);
      };
    },
  };
};

/** The voice message of one draft. */
export const voiceOf = (client: ParleyClient, key: string): VoiceDraft => {
  const all = kept.get(client) ?? new Map<string, VoiceDraft>();
  kept.set(client, all);
  const known = all.get(key) ?? create(client, key, () => all.delete(key));
  all.set(key, known);
  return known;
};

import type { MessageInput } from '@parley/client';
import { useEffect, useMemo } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { errorTexts } from '../../../chat/error-texts.ts';
import { failureWords } from '../../../chat/failure-words.ts';
import type { TextOf } from '../../../i18n/text.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { type Notices, useNotices } from '../../../ui/notices.tsx';
import type { ComposerState } from '../../composer/composer-parts.ts';
import { answerFields, draftKey } from '../../drafts/draft-box.ts';
import { mostSeconds } from './recorder.ts';
import { sendClip } from './send-clip.ts';
import { voiceTexts } from './texts.ts';
import { type VoiceDraft, voiceDrafts } from './voice-store.ts';

export type VoicePanelProps = Omit<ComposerState, 'mayWrite' | 'isNarrow'>;

/** The reasons that browsers name; each needs other advice. */
const explain = (error: unknown, text: TextOf<typeof voiceTexts>): { title: string; detail: string } => {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError')
    return { title: text('refused'), detail: text('refusedHint') };
  if (name === 'NotFoundError') return { title: text('noMicrophone'), detail: text('noMicrophoneHint') };
  return { title: text('busy'), detail: text('busyHint') };
};

const begin = async (voice: VoiceDraft, notices: Notices, text: TextOf<typeof voiceTexts>) => {
  try {
    await voice.recorder.start();
  } catch (error) {
    notices.show({ ...explain(error, text), tone: 'danger', isImportant: true });
    voice.stop();
  }
};

/** Records while it is on the screen. */
export function useVoiceDraft(props: VoicePanelProps) {
  const text = useTexts(voiceTexts);
  const errorText = useTexts(errorTexts);
  const { cid, parentId, composer, onSent } = props;
  const { draft, acts } = composer;
  const client = useClient();
  const notices = useNotices();
  const voice = useMemo(
    () => client.feature(voiceDrafts).of(draftKey(cid, parentId)),
    [client, cid, parentId],
  );
  useEffect(() => {
    const leave = voice.show();
    void begin(voice, notices, text);
    const stopWatching = voice.isFull.subscribe(() => {
      if (!voice.isFull.get()) return;
      voice.isFull.set(false);
      notices.show({ title: text('longest', { count: mostSeconds / 60 }) });
    });
    return () => {
      stopWatching();
      leave();
    };
  }, [voice, notices, text]);

  const send = async () => {
    const clip = await voice.recorder.finish();
    if (!clip) {
      notices.show({ title: text('empty'), tone: 'danger' });
      return voice.stop();
    }
    const message: MessageInput = answerFields(draft, parentId);
    const stop = new AbortController();
    const onProgress = (progress: number) => voice.sending.set({ progress, stop });
    onProgress(0);
    try {
      await sendClip(client, { cid, clip, message, onProgress, signal: stop.signal });
      voice.stop();
      if (draft.quote) acts.cancelQuote();
      onSent?.();
    } catch (error) {
      const detail = failureWords(error, errorText);
      if (!stop.signal.aborted) notices.show({ title: text('notSent'), detail, tone: 'danger' });
    } finally {
      voice.sending.set(undefined);
    }
  };
  return { voice, send };
}

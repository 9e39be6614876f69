import { useEffect } from 'react';
import { useFeature } from '../../../chat/client-provider.tsx';
import { useCapability } from '../../../chat/use-channel.ts';
import { useReadable } from '../../../chat/use-readable.ts';
import { useNotify } from '../../../chat/use-refusal.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { supplier } from '../../../ui/collect.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import type { ComposerAddition, ComposerPart, ComposerState } from '../../composer/composer-parts.ts';
import { isBlank } from '../../composer/is-blank.ts';
import { draftKey } from '../../drafts/draft-box.ts';
import { voiceButtonTexts } from './button-texts.ts';
import { IconMicrophone } from './icon-microphone.tsx';
import { closeRecording, openRecording, openRecordings } from './open-recordings.ts';
import type { VoicePanelProps } from './use-voice-draft.ts';

/** A recording, or a clip that waits to be sent, takes the place of the field. */
const VoicePanel = lazyPart<VoicePanelProps>(async () => (await import('./voice-panel.tsx')).VoicePanel, {
  Missing: VoiceMissing,
});

function VoiceMissing({ cid, parentId }: VoicePanelProps) {
  const recordings = useFeature(openRecordings);
  const notify = useNotify();
  const text = useTexts(commonTexts);
  useEffect(() => {
    notify(text('couldNotLoad'));
    closeRecording(recordings, draftKey(cid, parentId));
  }, [recordings, cid, parentId, notify, text]);
  return null;
}

const canRecord = () =>
  typeof MediaRecorder === 'function' && typeof navigator.mediaDevices?.getUserMedia === 'function';

/** Voice messages: an entry of the menu, and a button beside the empty field. */
const useVoice = (state: ComposerState): ComposerAddition => {
  const { cid, parentId, composer, wait, onSent } = state;
  const { draft, carried } = composer;
  const text = useTexts(voiceButtonTexts);
  const recordings = useFeature(openRecordings);
  const key = draftKey(cid, parentId);
  const isOpen = useReadable(recordings, (keys) => keys.has(key));
  const mayUpload = useCapability(cid, 'upload-file');
  const place = { cid, parentId, composer, wait, onSent };
  const instead = isOpen ? <VoicePanel {...place} /> : undefined;
  // Browsers record only on pages in a secure context.
  if (!mayUpload || !canRecord()) return { instead };
  const label = text('voiceMessage');
  const open = () => openRecording(recordings, key);
  return {
    instead,
    entry: draft.editing ? undefined : { id: 'voice', label, icon: <IconMicrophone />, onSelect: open },
    trailing: !carried.isEnough && isBlank(draft.text) && (
      <IconButton label={label} onClick={open}>
        <IconMicrophone />
      </IconButton>
    ),
  };
};

export const voice: ComposerPart = { name: 'voice', Addition: supplier(useVoice) };

import { useEffect } from 'react';
import { useChat } from '../../../chat/chat-provider.tsx';
import { useChannel } from '../../../chat/use-channel.ts';
import { useNotify } from '../../../chat/use-notify.ts';
import { useReadable } from '../../../chat/use-readable.ts';
import { commonTexts } from '../../../i18n/common-texts.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { draftKey } from '../../drafts/draft-box.ts';
import { messageTexts } from '../../messages/texts.ts';
import { closeRecording, openRecording } from './open-recordings.ts';
import type { VoicePanelProps } from './use-voice-draft.ts';
import { IconMicrophone } from './voice-icons.tsx';

/** What is recorded or waits to be sent stands in the place of the field. */
export const VoicePanel = lazyPart<VoicePanelProps>(
  async () => (await import('./voice-panel.tsx')).VoicePanel,
  { Missing: VoiceMissing },
);

function VoiceMissing({ cid, parentId }: VoicePanelProps) {
  const { recordings } = useChat();
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

export type Voice = { isOpen: boolean; mayRecord: boolean; open: () => void };

/** Voice messages in one composer; browsers record only on pages that came over a safe connection. */
export function useVoice(cid: string, parentId: string | undefined): Voice {
  const { recordings } = useChat();
  const key = draftKey(cid, parentId);
  const isOpen = useReadable(recordings, (keys) => keys.has(key));
  const mayUpload = useChannel(cid, (state) => state?.capabilities.has('upload-file') ?? false);
  return { isOpen, mayRecord: mayUpload && canRecord(), open: () => openRecording(recordings, key) };
}

/** Beside the empty field. */
export function VoiceButton({ onOpen }: { onOpen: () => void }) {
  const text = useTexts(messageTexts);
  return (
    <IconButton label={text('voiceMessage')} onClick={onOpen}>
      <IconMicrophone />
    </IconButton>
  );
}

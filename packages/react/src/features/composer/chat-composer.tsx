import { selectUserName, type VisibleMessage } from '@parley/client';
import { limits } from '@parley/client/limits';
import { type RefObject, useEffect, useRef } from 'react';
import { useMe } from '../../chat/chat-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { saidIn } from '../../summary/said-in.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerFilesProps } from '../attachments/composer-files.tsx';
import { useVoice, type Voice, VoiceButton, VoicePanel } from '../attachments/voice/composer-voice.tsx';
import { selectFace } from '../channels/channel-view.ts';
import { draftKey } from '../drafts/draft-box.ts';
import { ComposerLinks } from '../link-previews/composer-links.tsx';
import { messageTexts } from '../messages/texts.ts';
import type { SendLaterProps } from '../scheduled-messages/send-later.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ComposerAdd } from './composer-add.tsx';
import { isBlank } from './is-blank.ts';
import type { ComposerControls } from './use-composer.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import { slowUntil, writingBlock } from './writing-block.ts';

// Not needed to read or to write plain words: it comes after the first paint.
const ComposerAssist = lazyPart(async () => (await import('./composer-assist.tsx')).ComposerAssist, {
  Missing: () => null,
});

const SendLater = lazyPart<SendLaterProps>(
  async () => (await import('../scheduled-messages/send-later.tsx')).SendLater,
  { Missing: () => null },
);

const ComposerFiles = lazyPart<ComposerFilesProps>(
  async () => (await import('../attachments/composer-files.tsx')).ComposerFiles,
  { Missing: () => null },
);

export type ChatComposerProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: () => void;
};

const isTouch = () => typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

type Subject = { key: string; messageId: string | undefined; isRecording: boolean };

/** The field is offered the focus for each new subject, and after a recording. */
function useFocusOn(field: RefObject<ComposerHandle | null>, { key, messageId, isRecording }: Subject) {
  const lastKey = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new subject is another reason for the same
  useEffect(() => {
    const isNewPlace = lastKey.current !== key;
    lastKey.current = key;
    if (messageId !== undefined || !isTouch()) field.current?.focus(isNewPlace);
  }, [key, messageId, isRecording]);
}

function useQuoteView(quote: VisibleMessage | undefined) {
  const text = useTexts(attachmentTexts);
  return quote && { authorName: quote.user ? selectUserName(quote.user) : '', text: saidIn(quote, text) };
}

/** The composer of a channel or thread; says why, where nothing can be written. */
export function ChatComposer({ cid, parentId, composer, onSent }: ChatComposerProps) {
  const { draft, carried, acts } = composer;
  const text = useTexts(messageTexts);
  const me = useMe();
  const field = useRef<ComposerHandle>(null);
  const hasTyped = useRef(false);
  const block = useChannel(cid, (state) => state && writingBlock(state, me, parentId));
  const wait = useSecondsUntil(useChannel(cid, (state) => (state ? slowUntil(state) : 0)));
  const title = useChannel(cid, (state) => state && selectFace(state).title);
  const most = useChannel(cid, (state) => state?.channel.config?.max_message_length ?? limits.textLength);
  const mayAdd = useChannel(cid, (state) => state?.capabilities.has('upload-file') ?? false);
  const voice = useVoice(cid, parentId);
  const messageId = draft.editing?.id ?? draft.quote?.id;
  useFocusOn(field, { key: draftKey(cid, parentId), messageId, isRecording: voice.isOpen });

  const place = { cid, parentId, composer };
  const canWrite = block === undefined && draft.editing === undefined;
  const send = () => {
    const isNew = draft.editing === undefined;
    if (acts.send() && isNew) onSent?.();
  };
  return (
    <Composer
      ref={field}
      value={draft.text}
      onChange={(value) => {
        hasTyped.current = true;
        acts.setText(value);
      }}
      onSend={send}
      quote={useQuoteView(draft.quote)}
      onCancelQuote={acts.cancelQuote}
      editing={draft.editing?.text}
      onCancelEdit={acts.cancelEdit}
      onEditLast={acts.editLast}
      onComposition={acts.pause}
      disabledReason={block && text(block)}
      waitSeconds={wait}
      canSendEmpty={carried.isEnough || carried.refusal !== undefined}
      enterSends={!isTouch()}
      maxLength={most}
      leading={
        block === undefined && (
          <ComposerAdd {...place} onSent={onSent} onVoice={voice.mayRecord ? voice.open : undefined} />
        )
      }
      assist={(area) => (
        <ComposerAssist
          {...{ cid, field: area, value: draft.text, onChange: acts.setText, hasTyped }}
          isEditing={draft.editing !== undefined}
        />
      )}
      trailing={canWrite && <Beside {...place} voice={voice} />}
      instead={canWrite && voice.isOpen && <VoicePanel {...place} wait={wait} onSent={onSent} />}
      {...(parentId === undefined && title !== undefined && { to: title })}
    >
      <ComposerFiles {...{ cid, parentId, editing: draft.editing }} mayAdd={mayAdd && block === undefined} />
      {block === undefined && <ComposerLinks {...place} />}
    </Composer>
  );
}

/** Before the send button: a way to send later, or while there is nothing to send, to speak. */
function Beside({ voice, ...place }: SendLaterProps & { voice: Voice }) {
  const { draft, carried } = place.composer;
  if (carried.isEnough || !isBlank(draft.text)) return <SendLater {...place} />;
  return voice.mayRecord && <VoiceButton onOpen={voice.open} />;
}

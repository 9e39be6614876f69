import { limits, selectUserName, type VisibleMessage } from '@parley/client';
import { useEffect, useRef } from 'react';
import { useMe } from '../../chat/chat-provider.tsx';
import { useText } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerFilesProps } from '../attachments/composer-files.tsx';
import { selectFace } from '../channels/channel-view.ts';
import { useChannel } from '../channels/use-channel.ts';
import type { SendLaterProps } from '../scheduled-messages/send-later.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ComposerAdd } from './composer-add.tsx';
import { isBlank } from './is-blank.ts';
import { saidIn } from './said-in.ts';
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

const authorOf = ({ user }: VisibleMessage): string => (user ? selectUserName(user) : '');

/** The composer of a channel or thread; says why, where nothing can be written. */
export function ChatComposer({ cid, parentId, composer, onSent }: ChatComposerProps) {
  const { draft, carried, acts } = composer;
  const text = useText();
  const { block, wait, title, most, mayAdd } = useRoom(cid, parentId);
  const field = useRef<ComposerHandle>(null);
  const subject = draft.editing?.id ?? draft.quote?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the field takes the focus for each new subject
  useEffect(() => {
    if (subject !== undefined || !isTouch()) field.current?.focus();
  }, [cid, parentId, subject]);

  const { quote } = draft;
  const send = () => {
    const isNew = draft.editing === undefined;
    if (acts.send() && isNew) onSent?.();
  };
  return (
    <Composer
      ref={field}
      value={draft.text}
      onChange={acts.setText}
      onSend={send}
      quote={quote && { authorName: authorOf(quote), text: saidIn(quote) }}
      onCancelQuote={acts.cancelQuote}
      editing={draft.editing?.text}
      onCancelEdit={acts.cancelEdit}
      onEditLast={acts.editLast}
      disabledReason={block && text(block)}
      waitSeconds={wait}
      canSendEmpty={carried.isEnough || carried.refusal !== undefined}
      enterSends={!isTouch()}
      maxLength={most}
      leading={
        block === undefined && (
          <ComposerAdd cid={cid} parentId={parentId} composer={composer} onSent={onSent} />
        )
      }
      assist={(area) => (
        <ComposerAssist
          cid={cid}
          field={area}
          value={draft.text}
          onChange={acts.setText}
          isEditing={draft.editing !== undefined}
        />
      )}
      trailing={
        draft.editing === undefined &&
        block === undefined &&
        (carried.isEnough || !isBlank(draft.text)) && (
          <SendLater cid={cid} parentId={parentId} composer={composer} />
        )
      }
      {...(parentId === undefined && title !== undefined && { to: title })}
    >
      <ComposerFiles
        cid={cid}
        parentId={parentId}
        editing={draft.editing}
        mayAdd={mayAdd && block === undefined}
      />
    </Composer>
  );
}

/** What can be written here, and when. */
function useRoom(cid: string, parentId: string | undefined) {
  const me = useMe();
  return {
    block: useChannel(cid, (state) => state && writingBlock(state, me, parentId)),
    wait: useSecondsUntil(useChannel(cid, (state) => (state ? slowUntil(state) : 0))),
    title: useChannel(cid, (state) => state && selectFace(state).title),
    most: useChannel(cid, (state) => state?.channel.config?.max_message_length ?? limits.textLength),
    mayAdd: useChannel(cid, (state) => state?.capabilities.has('upload-file') ?? false),
  };
}

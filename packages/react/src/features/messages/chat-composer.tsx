import { limits, selectUserName } from '@parley/client';
import { useEffect, useRef } from 'react';
import { useMe } from '../../chat/chat-provider.tsx';
import { useText } from '../../i18n/text-context.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { selectFace } from '../channels/channel-view.ts';
import { useChannel } from '../channels/use-channel.ts';
import { ComposerPoll } from '../polls/composer-poll.tsx';
import type { SendLaterProps } from '../scheduled-messages/send-later.tsx';
import { Composer, type ComposerHandle } from './composer.tsx';
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

export type ChatComposerProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: () => void;
};

const isTouch = () => typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

/** The composer of a channel or thread; says why, where nothing can be written. */
export function ChatComposer({ cid, parentId, composer, onSent }: ChatComposerProps) {
  const { draft, acts } = composer;
  const text = useText();
  const me = useMe();
  const field = useRef<ComposerHandle>(null);
  const block = useChannel(cid, (state) => state && writingBlock(state, me, parentId));
  const wait = useSecondsUntil(useChannel(cid, (state) => (state ? slowUntil(state) : 0)));
  const title = useChannel(cid, (state) => state && selectFace(state).title);
  const most = useChannel(cid, (state) => state?.channel.config?.max_message_length ?? limits.textLength);
  const subject = draft.editing?.id ?? draft.quote?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: `cid` and `parentId` are not read: another place, like another subject, takes the focus
  useEffect(() => {
    if (subject !== undefined || !isTouch()) field.current?.focus();
  }, [cid, parentId, subject]);

  const { quote } = draft;
  const author = quote?.user ? selectUserName(quote.user) : '';
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
      quote={quote && { authorName: author, text: saidIn(quote) }}
      onCancelQuote={acts.cancelQuote}
      editing={draft.editing?.text}
      onCancelEdit={acts.cancelEdit}
      onEditLast={acts.editLast}
      onComposition={acts.pause}
      disabledReason={block && text(block)}
      waitSeconds={wait}
      enterSends={!isTouch()}
      maxLength={most}
      leading={
        block === undefined && (
          <ComposerPoll cid={cid} parentId={parentId} composer={composer} onSent={onSent} />
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
        !isBlank(draft.text) && <SendLater cid={cid} parentId={parentId} composer={composer} />
      }
      {...(parentId === undefined && title !== undefined && { to: title })}
    />
  );
}

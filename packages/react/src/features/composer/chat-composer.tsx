import { limits } from '@parley/client/limits';
import { Children, type RefObject, useContext, useEffect, useRef } from 'react';
import { useMe } from '../../chat/client-provider.tsx';
import { useChannel } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Collect } from '../../ui/collect.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { selectFace } from '../channels/channel-view.ts';
import { draftKey } from '../drafts/draft-box.ts';
import { useQuoteView } from '../messages/row/use-quote-view.ts';
import { messageTexts } from '../messages/texts.ts';
import { Composer, type ComposerHandle } from './composer.tsx';
import { ComposerAdd } from './composer-add.tsx';
import { type ComposerAddition, ComposerParts, type ComposerState } from './composer-parts.ts';
import type { ComposerControls } from './use-composer.ts';
import type { MissedInput } from './use-field.ts';
import { useSecondsUntil } from './use-seconds-until.ts';
import { slowUntil, type WritingBlock, writingBlock } from './writing-block.ts';

// Reading and writing plain text does not need this: it is loaded after the first paint.
const ComposerAssist = lazyPart(async () => (await import('./composer-assist.tsx')).ComposerAssist, {
  Missing: () => null,
});

export type ChatComposerProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: () => void;
};

const isTouch = () => typeof matchMedia === 'function' && matchMedia('(pointer: coarse)').matches;

type Subject = { key: string; messageId: string | undefined; isReplaced: boolean };

/** Offers the focus to the field for each new subject, and after something else was in its place. */
function useFocusOn(field: RefObject<ComposerHandle | null>, { key, messageId, isReplaced }: Subject) {
  const lastKey = useRef('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new subject is another reason for the same
  useEffect(() => {
    const isNewPlace = lastKey.current !== key;
    lastKey.current = key;
    if (messageId !== undefined || !isTouch()) field.current?.focus(isNewPlace);
  }, [key, messageId, isReplaced]);
}

type Additions = readonly ComposerAddition[];

const inSlot = (additions: Additions, slot: 'leading' | 'trailing' | 'tray') => {
  const filled = Children.toArray(additions.map((addition) => addition[slot]));
  return filled.length > 0 && filled;
};

type LeadingProps = {
  additions: Additions;
  isNarrow: boolean;
  field: RefObject<ComposerHandle | null>;
};

function Leading({ additions, isNarrow, field }: LeadingProps) {
  return (
    <>
      <ComposerAdd
        entries={additions.flatMap(({ entry }) => entry ?? [])}
        isNarrow={isNarrow}
        onPickEmoji={(emoji) => field.current?.insert(emoji)}
      />
      {inSlot(additions, 'leading')}
    </>
  );
}

/** The composer of a channel or thread; shows the reason where nothing can be written. */
export function ChatComposer({ cid, parentId, composer, onSent }: ChatComposerProps) {
  const me = useMe();
  const block = useChannel(cid, (state) => state && writingBlock(state, me, parentId));
  const wait = useSecondsUntil(useChannel(cid, (state) => (state ? slowUntil(state) : 0)));
  const mayWrite = block === undefined;
  const isNarrow = useIsNarrow();
  const state = { cid, parentId, composer, onSent, mayWrite, isNarrow, wait };
  return (
    <Collect
      from={useContext(ComposerParts).map(({ Addition }) => Addition)}
      of={state}
      subject={draftKey(cid, parentId)}
      draw={(additions) => <FilledComposer {...state} block={block} additions={additions} />}
    />
  );
}

type FilledComposerProps = ComposerState & { block: WritingBlock | undefined; additions: Additions };

/** The field of a composer, with the additions of other features around it. */
function FilledComposer(props: FilledComposerProps) {
  const { cid, parentId, composer, onSent, mayWrite, isNarrow, wait, block, additions } = props;
  const { draft, carried, acts } = composer;
  const text = useTexts(messageTexts);
  const field = useRef<ComposerHandle>(null);
  const missed: MissedInput = useRef(undefined);
  const title = useChannel(cid, (state) => state && selectFace(state).title);
  const most = useChannel(cid, (state) => state?.channel.config?.max_message_length ?? limits.textLength);
  const instead = additions.find((addition) => addition.instead)?.instead;
  const messageId = draft.editing?.id ?? draft.quote?.id;
  useFocusOn(field, { key: draftKey(cid, parentId), messageId, isReplaced: instead !== undefined });

  const isNew = mayWrite && draft.editing === undefined;
  const send = () => {
    const wasNew = draft.editing === undefined;
    if (acts.send() && wasNew) onSent?.();
  };
  return (
    <Composer
      ref={field}
      value={draft.text}
      onChange={(value) => {
        missed.current = { value };
        acts.setText(value);
      }}
      onShortcut={(event) => {
        missed.current = { value: draft.text, event };
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
      isNarrow={isNarrow}
      leading={mayWrite && <Leading {...{ additions, isNarrow, field }} />}
      assist={(area) => (
        <ComposerAssist
          {...{ cid, field: area, value: draft.text, onChange: acts.setText, missed }}
          isEditing={draft.editing !== undefined}
        />
      )}
      trailing={isNew && inSlot(additions, 'trailing')}
      instead={isNew && instead}
      {...(parentId === undefined && title !== undefined && { to: title })}
    >
      {inSlot(additions, 'tray')}
    </Composer>
  );
}

import { useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useFeature } from '../../chat/client-provider.tsx';
import { useChannelTitle, useOpenChannel } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Dotted } from '../../ui/dotted.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconCheck, IconCopy, IconEdit, IconTrash, IconWarning } from '../../ui/icons.tsx';
import { type Draft, draftBox, draftWords, emptyDraft, typedIn } from './draft-box.ts';
import styles from './drafts-screen.module.css';
import { lateDraftTexts } from './late-texts.ts';
import { draftTexts } from './texts.ts';

export type DraftsScreenProps = {
  onOpen: (cid: string, parentId: string | undefined) => void;
  onBack?: (() => void) | undefined;
};

/** The drafts of every channel and thread. */
export function DraftsScreen({ onOpen, onBack }: DraftsScreenProps) {
  const text = useTexts(lateDraftTexts);
  const drafts = useFeature(draftBox);
  const all = useReadable(drafts.all);
  return (
    <>
      <ChannelHeader name={text('drafts')} {...(onBack && { onBack })} />
      {all.length === 0 ? (
        <EmptyState
          icon={<IconEdit size={28} />}
          title={text('draftsEmpty')}
          hint={text('draftsEmptyHint')}
        />
      ) : (
        <ul className={styles.list}>
          {all.map(({ key, draft }) => (
            <DraftRow
              key={key}
              place={key}
              draft={draft}
              onOpen={onOpen}
              onDelete={() => drafts.change(key, () => emptyDraft)}
            />
          ))}
        </ul>
      )}
    </>
  );
}

type DraftRowProps = {
  place: string;
  draft: Draft;
  onOpen: DraftsScreenProps['onOpen'];
  onDelete: () => void;
};

function DraftRow({ place, draft, onOpen, onDelete }: DraftRowProps) {
  const text = useTexts(lateDraftTexts);
  const [cid = '', parentId = ''] = place.split(' ');
  // A draft may be in a channel that is not loaded yet: its name is asked for.
  const { status } = useOpenChannel(cid);
  const title = useChannelTitle(cid);
  const typed = typedIn(draft);
  const written = draftWords(typed, useTexts(draftTexts));
  const words = (
    <>
      <span className={styles.place}>
        <Dotted
          parts={[status === 'missing' ? text('draftGone') : title, parentId !== '' && text('thread')]}
        />
      </span>
      <span dir="auto" className={styles.text}>
        {written}
      </span>
    </>
  );
  return (
    <li className={styles.row}>
      {status === 'missing' ? (
        <span className={styles.open}>{words}</span>
      ) : (
        <button type="button" className={styles.open} onClick={() => onOpen(cid, parentId || undefined)}>
          {words}
        </button>
      )}
      {typed.text !== '' && <CopyButton written={typed.text} />}
      <IconButton label={text('draftDelete')} tooltip="none" onClick={onDelete}>
        <IconTrash />
      </IconButton>
    </li>
  );
}

function CopyButton({ written }: { written: string }) {
  const text = useTexts(lateDraftTexts);
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  const copy = async () => {
    await navigator.clipboard.writeText(written);
    setOutcome('copied');
  };
  // A finger has no tooltip: the icon shows the outcome too.
  const Icon = outcome === 'copied' ? IconCheck : outcome ? IconWarning : IconCopy;
  return (
    <IconButton
      label={text(outcome ?? 'copyText')}
      onClick={() => void copy().catch(() => setOutcome('notCopied'))}
    >
      <Icon />
    </IconButton>
  );
}

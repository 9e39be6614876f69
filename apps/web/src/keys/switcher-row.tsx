import { Avatar, ChannelAvatar, selectFace, useChannel, useTexts } from '@parley/react';
import { IconGoTo } from './icon-go-to.tsx';
import styles from './switcher.module.css';
import type { Entry } from './switcher-entries.ts';
import { keyTexts } from './texts.ts';

export type EntryRowProps = { id: string; entry: Entry; isChosen: boolean; onChoose: () => void };

/** One entry. The field keeps the focus and names the chosen row, so the row handles no keys. */
export function EntryRow({ id, entry, isChosen, onChoose }: EntryRowProps) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      className={styles.row}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Picture entry={entry} />
      <span dir="auto" className={styles.title}>
        {entry.title}
      </span>
      {entry.group !== 'actions' && entry.group !== 'people' && <Mark cid={entry.key} />}
    </button>
  );
}

function Picture({ entry: { group, key, title, imageUrl } }: { entry: Entry }) {
  if (group === 'actions')
    return (
      <span className={styles.icon}>
        <IconGoTo />
      </span>
    );
  if (group === 'people') return <Avatar id={key} name={title} imageUrl={imageUrl} />;
  return <Face cid={key} />;
}

function Face({ cid }: { cid: string }) {
  const face = useChannel(cid, (state) => state && selectFace(state));
  return face && <ChannelAvatar face={face} />;
}

/** Shows that a conversation is archived, or has something unread. */
function Mark({ cid }: { cid: string }) {
  const text = useTexts(keyTexts);
  const { isArchived, unread } = useChannel(cid, (state) => ({
    isArchived: state?.membership?.archived_at !== undefined,
    unread: state?.unread ?? 0,
  }));
  return (
    <>
      {isArchived && <span className={styles.mark}>{text('archived')}</span>}
      {unread > 0 && <span className={styles.unread}>{unread > 99 ? '99+' : unread}</span>}
    </>
  );
}

import { type ChannelQuery, type ChannelState, hasCapability } from '@parley/client';
import { useMemo, useState } from 'react';
import { useClient, useMe } from '../../chat/chat-provider.tsx';
import { useFeature } from '../../chat/use-feature.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { useText } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCheck, IconTrash, IconWarning } from '../../ui/icons.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import { ChannelAvatar } from '../channels/channel-avatar.tsx';
import { ChannelHeader } from '../channels/channel-header.tsx';
import { selectFace } from '../channels/channel-view.ts';
import { type Confirmation, ConfirmDialog } from '../channels/confirm-dialog.tsx';
import { CouldNotLoad } from '../channels/could-not-load.tsx';
import { useChannel } from '../channels/use-channel.ts';
import { type ChannelListView, useChannelList } from '../channels/use-channel-list.ts';
import styles from './delete-channels-screen.module.css';
import { deleting as deletingFeature } from './deleting.ts';
import { type DeletingTexts, deletingEnglish, fill } from './english.ts';

export type DeleteChannelsScreenProps = { onBack?: (() => void) | undefined; texts?: Partial<DeletingTexts> };

/** Deletes several conversations at once and shows how far it is. */
export function DeleteChannelsScreen({ onBack, texts }: DeleteChannelsScreenProps) {
  const words = { ...deletingEnglish, ...texts };
  const { state, reset: back } = useFeature(deletingFeature);
  const deleting = useReadable(state);
  return (
    <>
      <ChannelHeader name={words.title} {...(onBack && { onBack })} />
      {deleting.step === 'choosing' && <Choosing words={words} />}
      {deleting.step === 'working' && <Working done={deleting.done} all={deleting.all} words={words} />}
      {deleting.step === 'done' && (
        <Done deleted={deleting.deleted.length} gone={deleting.gone.length} onBack={back} words={words} />
      )}
      {deleting.step === 'failed' && (
        <EmptyState
          icon={<IconWarning size={28} />}
          title={words.failed}
          hint={deleting.error.message}
          action={<Button onClick={back}>{words.again}</Button>}
        />
      )}
    </>
  );
}

function Working({ done, all, words }: { done: number; all: number; words: DeletingTexts }) {
  const label = fill(words.working, { done, all });
  return (
    <div className={styles.state} role="status">
      <p className={styles.title}>{label}</p>
      <progress className={styles.progress} value={done} max={all} aria-label={label} />
      <p className={styles.hint}>{words.workingHint}</p>
    </div>
  );
}

type DoneProps = { deleted: number; gone: number; onBack: () => void; words: DeletingTexts };

function Done({ deleted, gone, onBack, words }: DoneProps) {
  const title = deleted === 1 ? words.doneOne : fill(words.doneMany, { n: deleted });
  return (
    <div role="status" className={styles.state}>
      <EmptyState
        icon={<IconCheck size={28} />}
        title={title}
        {...(gone > 0 && { hint: fill(words.alreadyGone, { n: gone }) })}
        action={<Button onClick={onBack}>{words.again}</Button>}
      />
    </div>
  );
}

const queryOf = (ownId: string): ChannelQuery => ({
  filter: { members: { $in: [ownId] }, invite: { $ne: 'pending' } },
  limit: 30,
  messageLimit: 25,
});

const mayDelete = (state: ChannelState | undefined): boolean =>
  state !== undefined && hasCapability(state, 'delete-channel');

function Choosing({ words }: { words: DeletingTexts }) {
  const ownId = useMe()?.id ?? '';
  const list = useChannelList(
    useMemo(() => queryOf(ownId), [ownId]),
    false,
  );
  const text = useText();
  if (list.status === 'loading') return <ChannelListSkeleton label={text('loading')} />;
  if (list.status === 'error' && list.cids.length === 0) return <CouldNotLoad onRetry={list.refresh} />;
  return <Choice list={list} words={words} />;
}

function Choice({ list, words }: { list: ChannelListView; words: DeletingTexts }) {
  const client = useClient();
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Confirmation>();
  const offered = list.cids.filter((cid) => mayDelete(client.channels.state(cid).get()));
  // One that went meanwhile is chosen no more.
  const chosen = marked.filter((cid) => offered.includes(cid));
  if (offered.length === 0 && !list.hasMore)
    return <EmptyState icon={<IconTrash size={28} />} title={words.nothing} hint={words.nothingHint} />;
  const toggle = (cid: string) =>
    setMarked(chosen.includes(cid) ? chosen.filter((known) => known !== cid) : [...chosen, cid]);
  const isAll = chosen.length === offered.length;
  const n = chosen.length;
  const ask = () =>
    setAsked({
      title: n === 1 ? words.confirmOne : fill(words.confirmMany, { n }),
      hint: words.confirmHint,
      label: words.confirm,
      onConfirm: () => void client.feature(deletingFeature).start(chosen),
    });
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.hint}>{n > 0 ? fill(words.chosen, { n }) : words.hint}</span>
        <Button variant="quiet" onClick={() => setMarked(isAll ? [] : offered)}>
          {isAll ? words.none : words.all}
        </Button>
        <Button variant="danger" disabled={n === 0} onClick={ask}>
          {n === 0 ? words.confirm : fill(words.delete, { n })}
        </Button>
      </div>
      <ul className={styles.list} aria-label={words.choose}>
        {offered.map((cid) => (
          <Row key={cid} cid={cid} checked={chosen.includes(cid)} onToggle={toggle} words={words} />
        ))}
        {list.hasMore && (
          <li className={styles.more}>
            <Button busy={list.isLoadingMore} onClick={list.loadMore}>
              {words.more}
            </Button>
          </li>
        )}
      </ul>
      <ConfirmDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

type RowProps = { cid: string; checked: boolean; onToggle: (cid: string) => void; words: DeletingTexts };

function Row({ cid, checked, onToggle, words }: RowProps) {
  const view = useChannel(
    cid,
    (state) => state && { face: selectFace(state), members: state.channel.member_count },
  );
  if (view === undefined) return null;
  return (
    <li>
      <label className={styles.row}>
        <input type="checkbox" checked={checked} onChange={() => onToggle(cid)} />
        <ChannelAvatar face={view.face} />
        <bdi className={styles.name}>{view.face.title}</bdi>
        <span className={styles.hint}>{fill(words.members, { n: view.members })}</span>
      </label>
    </li>
  );
}

import { type ChannelQuery, type ChannelState, hasCapability } from '@parley/client';
import { useMemo, useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useClient, useFeature, useOwnId } from '../../chat/client-provider.tsx';
import { errorTexts } from '../../chat/error-texts.ts';
import { failureWords } from '../../chat/failure-words.ts';
import { useChannel } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { CouldNotLoad } from '../../connection/could-not-load.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { type Confirmation, ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconCheck, IconTrash, IconWarning } from '../../ui/icons.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import { ChannelAvatar } from '../channels/channel-avatar.tsx';
import { selectFace } from '../channels/channel-view.ts';
import { type ChannelListView, useChannelList } from '../channels/use-channel-list.ts';
import styles from './delete-channels-screen.module.css';
import { deleting as deletingFeature } from './deleting.ts';
import { taskTexts } from './texts.ts';

export type DeleteChannelsScreenProps = { onBack?: (() => void) | undefined };

/** Deletes several conversations at once and shows the progress. */
export function DeleteChannelsScreen({ onBack }: DeleteChannelsScreenProps) {
  const text = useTexts(taskTexts);
  const errorText = useTexts(errorTexts);
  const { state, reset: back } = useFeature(deletingFeature);
  const deleting = useReadable(state);
  return (
    <>
      <ChannelHeader name={text('title')} {...(onBack && { onBack })} />
      {deleting.step === 'choosing' && <Choosing />}
      {deleting.step === 'working' && <Working done={deleting.done} all={deleting.all} />}
      {deleting.step === 'done' && (
        <Done deleted={deleting.deleted.length} gone={deleting.gone.length} onBack={back} />
      )}
      {deleting.step === 'failed' && (
        <EmptyState
          icon={<IconWarning size={28} />}
          title={text('failed')}
          hint={failureWords(deleting.error, errorText)}
          action={<Button onClick={back}>{text('again')}</Button>}
        />
      )}
    </>
  );
}

function Working({ done, all }: { done: number; all: number }) {
  const text = useTexts(taskTexts);
  const label = text('working', { done, all });
  return (
    <div className={styles.state} role="status">
      <p className={styles.title}>{label}</p>
      <progress className={styles.progress} value={done} max={all} aria-label={label} />
      <p className={styles.hint}>{text('workingHint')}</p>
    </div>
  );
}

type DoneProps = { deleted: number; gone: number; onBack: () => void };

function Done({ deleted, gone, onBack }: DoneProps) {
  const text = useTexts(taskTexts);
  const title = text('deleted', { count: deleted });
  return (
    <div role="status" className={styles.state}>
      <EmptyState
        icon={<IconCheck size={28} />}
        title={title}
        {...(gone > 0 && { hint: text('alreadyGone', { count: gone }) })}
        action={<Button onClick={onBack}>{text('again')}</Button>}
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

function Choosing() {
  const ownId = useOwnId() ?? '';
  const list = useChannelList(
    useMemo(() => queryOf(ownId), [ownId]),
    false,
  );
  const text = useTexts(taskTexts);
  if (list.status === 'loading') return <ChannelListSkeleton label={text('loading')} />;
  if (list.status === 'error' && list.cids.length === 0) return <CouldNotLoad onRetry={list.refresh} />;
  return <Choice list={list} />;
}

function Choice({ list }: { list: ChannelListView }) {
  const text = useTexts(taskTexts);
  const client = useClient();
  const [marked, setMarked] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<Confirmation>();
  const offered = list.cids.filter((cid) => mayDelete(client.channels.state(cid).get()));
  // A channel that was deleted meanwhile is no longer chosen.
  const chosen = marked.filter((cid) => offered.includes(cid));
  if (offered.length === 0 && !list.hasMore)
    return <EmptyState icon={<IconTrash size={28} />} title={text('nothing')} hint={text('nothingHint')} />;
  const toggle = (cid: string) =>
    setMarked(chosen.includes(cid) ? chosen.filter((other) => other !== cid) : [...chosen, cid]);
  const isAll = chosen.length === offered.length;
  const count = chosen.length;
  const ask = () =>
    setAsked({
      title: text('confirmTitle', { count }),
      hint: text('confirmHint'),
      label: text('confirm'),
      onConfirm: () => void client.feature(deletingFeature).start(chosen),
    });
  return (
    <>
      <div className={styles.bar}>
        <span className={styles.hint}>{count > 0 ? text('chosen', { count }) : text('hint')}</span>
        <Button variant="quiet" onClick={() => setMarked(isAll ? [] : offered)}>
          {isAll ? text('none') : text('all')}
        </Button>
        <Button variant="danger" disabled={count === 0} onClick={ask}>
          {count === 0 ? text('confirm') : text('delete', { count })}
        </Button>
      </div>
      <ul className={styles.list} aria-label={text('choose')}>
        {offered.map((cid) => (
          <Row key={cid} cid={cid} checked={chosen.includes(cid)} onToggle={toggle} />
        ))}
        {list.hasMore && (
          <li className={styles.more}>
            <Button busy={list.isLoadingMore} onClick={list.loadMore}>
              {text('more')}
            </Button>
          </li>
        )}
      </ul>
      <ConfirmDialog asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

type RowProps = { cid: string; checked: boolean; onToggle: (cid: string) => void };

function Row({ cid, checked, onToggle }: RowProps) {
  const text = useTexts(taskTexts);
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
        {view.face.kind !== 'direct' && (
          <span className={styles.hint}>{text('members', { count: view.members })}</span>
        )}
      </label>
    </li>
  );
}

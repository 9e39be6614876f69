import { selectChannelTitle, selectUserName } from '@parley/client';
import { type Thread, threads as threadsFeature } from '@parley/client/threads';
import { useEffect } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useFeature, useOwnId } from '../../chat/client-provider.tsx';
import { useChannelTitle, useOpenChannel } from '../../chat/use-channel.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { CouldNotLoad } from '../../connection/could-not-load.tsx';
import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { previewOf } from '../../markdown/preview.ts';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { AvatarStack } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconThread } from '../../ui/icons.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import { personOf } from '../channels/channel-view.ts';
import { channelTexts } from '../channels/texts.ts';
import { inboxTexts } from './inbox-texts.ts';
import { lateThreadTexts } from './late-texts.ts';
import { threadTexts } from './texts.ts';
import styles from './thread-inbox.module.css';

export type ThreadInboxProps = {
  onOpen: (cid: string, parentId: string) => void;
  onBack?: (() => void) | undefined;
};

/** The threads that the reader follows, the one with the latest reply first. */
export function ThreadInbox({ onOpen, onBack }: ThreadInboxProps) {
  const name = useTexts(inboxTexts)('threads');
  return (
    <>
      <ChannelHeader name={name} {...(onBack && { onBack })} />
      <List onOpen={onOpen} />
    </>
  );
}

function useThreads() {
  const isConnected = useOwnId() !== undefined;
  const threads = useFeature(threadsFeature);
  useEffect(() => {
    if (isConnected) void threads.load();
  }, [threads, isConnected]);
  return threads;
}

function List({ onOpen }: Pick<ThreadInboxProps, 'onOpen'>) {
  const text = useTexts(lateThreadTexts);
  const threads = useThreads();
  const list = useReadable(threads.list);
  if (list.status === 'error') return <CouldNotLoad onRetry={() => void threads.load()} />;
  if (list.status !== 'ready') return <ChannelListSkeleton label={text('loading')} />;
  if (list.threads.length === 0) {
    const icon = <IconThread size={28} />;
    return <EmptyState icon={icon} title={text('threadsEmpty')} hint={text('threadsEmptyHint')} />;
  }
  return (
    <ul className={styles.list}>
      {list.threads.map((thread) => (
        <ThreadRow key={thread.parent_message_id} thread={thread} onOpen={onOpen} />
      ))}
      {list.hasMore && (
        <li className={styles.more}>
          <Button onClick={() => void threads.loadMore().catch(() => {})}>{text('showMore')}</Button>
        </li>
      )}
    </ul>
  );
}

function ThreadRow({ thread, onOpen }: { thread: Thread; onOpen: ThreadInboxProps['onOpen'] }) {
  const text = useTexts(lateThreadTexts);
  const threadText = useTexts(threadTexts);
  const channelText = useTexts(channelTexts);
  const carriedText = useTexts(attachmentTexts);
  const format = useFormat();
  const { cid, parent_message: parent, participants, last_reply_at: at } = thread;
  useOpenChannel(cid);
  const ownId = useOwnId() ?? '';
  const channel = useChannelTitle(cid) || selectChannelTitle({ channel: thread.channel, members: [], ownId });
  const unread = thread.read?.unread_messages ?? 0;
  const last = thread.latest_replies.at(-1);
  const said =
    parent.deleted_at === undefined ? previewOf(summaryOf(parent, carriedText)) : text('messageDeleted');
  return (
    <li>
      <button
        type="button"
        className={styles.row}
        data-unread={unread > 0 || undefined}
        onClick={() => onOpen(cid, thread.parent_message_id)}
      >
        <span className={styles.line}>
          <bdi className={styles.channel}>{channel}</bdi>
          {at !== undefined && (
            <time className={styles.time} dateTime={at}>
              {format.short(at)}
            </time>
          )}
        </span>
        <span dir="auto" className={styles.preview}>
          {thread.title ?? said}
        </span>
        {last && (
          <span className={styles.line}>
            <AvatarStack people={participants.map(personOf)} max={3} />
            <span className={styles.reply}>
              <bdi className={styles.author}>
                {channelText('previewAuthor', { name: last.user ? selectUserName(last.user) : '' })}
              </bdi>{' '}
              <span dir="auto" className={styles.said}>
                {previewOf(summaryOf(last, carriedText))}
              </span>
            </span>
            <span className={styles.count}>{threadText('replyCount', { count: thread.reply_count })}</span>
            {unread > 0 && (
              <span
                className={styles.badge}
                role="img"
                aria-label={channelText('unreadCount', { count: unread })}
              >
                {unread > 99 ? '99+' : unread}
              </span>
            )}
          </span>
        )}
      </button>
    </li>
  );
}

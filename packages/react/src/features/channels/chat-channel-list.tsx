import type { ChannelQuery, ChannelState, OwnUser } from '@parley/client';
import { hasUnreadMention } from '@parley/client/mentions';
import { memo, type ReactNode, useMemo, useState } from 'react';
import { useClient, useFeature } from '../../chat/client-provider.tsx';
import { isSame } from '../../chat/readables.ts';
import { useChannel } from '../../chat/use-channel.ts';
import { useHoldsFirstScreen } from '../../chat/use-first-screen.ts';
import { useReadable } from '../../chat/use-readable.ts';
import { CouldNotLoad } from '../../connection/could-not-load.tsx';
import { useTexts } from '../../i18n/text-context.tsx';
import { attachmentTexts } from '../../summary/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KitRoot } from '../../ui/kit-root.tsx';
import { ChannelListSkeleton } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { whenReached } from '../../ui/when-reached.ts';
import { draftBox, draftKey, draftWords, typedIn } from '../drafts/draft-box.ts';
import { draftTexts } from '../drafts/texts.ts';
import { useTyping } from '../typing/use-typing.ts';
import { ChannelAvatar } from './channel-avatar.tsx';
import { ChannelListItem } from './channel-list-item.tsx';
import { selectFace, selectPreview } from './channel-view.ts';
import styles from './chat-channel-list.module.css';
import { ChannelList } from './sidebar-header.tsx';
import { channelTexts } from './texts.ts';
import { type ChannelListView, useChannelList } from './use-channel-list.ts';
import { useFetchAhead } from './use-fetch-ahead.ts';

export type ChatChannelListProps = {
  /** Has to stay the same object between renders. */
  query: ChannelQuery;
  selected?: string | undefined;
  onSelect: (cid: string) => void;
  /** Makes the entries links. */
  hrefOf?: (cid: string) => string;
  /** Shown in place of the list where it is empty. */
  empty?: ReactNode;
};

/** The list of channels, kept up to date, with pages loaded as it is scrolled. */
export function ChatChannelList(props: ChatChannelListProps) {
  return (
    <KitRoot>
      <Listed {...props} />
    </KitRoot>
  );
}

function Listed({ query, selected, onSelect, hrefOf, empty }: ChatChannelListProps) {
  const text = useTexts(channelTexts);
  const list = useChannelList(query);
  // From the press of a pointer to its release the rows stay as they are: one that moves away meanwhile gets no click.
  const [held, setHeld] = useState<readonly string[]>();
  const cids = held ?? list.cids;
  // The click comes after the release, that of a finger in a later task.
  const release = () => setTimeout(setHeld, 100, undefined);
  useHoldsFirstScreen(list.status === 'loading');
  useFetchAhead(list.cids);
  if (list.status === 'loading' && !list.cids[0]) return <ChannelListSkeleton label={text('loading')} />;
  if (list.status === 'error' && list.cids.length === 0) return <CouldNotLoad onRetry={list.refresh} />;
  if (list.cids.length === 0) {
    return empty ?? <EmptyState title={text('noConversations')} hint={text('noConversationsHint')} />;
  }
  return (
    <ChannelList onPointerDown={() => setHeld(list.cids)} onPointerUp={release} onPointerLeave={release}>
      {cids.map((cid, index) => (
        <ListedChannel
          key={cid}
          {...{ cid, onSelect, hrefOf }}
          above={cids[index - 1]}
          selected={cid === selected}
        />
      ))}
      {list.hasMore && (
        <div className={styles.more}>
          <MoreChannels list={list} />
        </div>
      )}
    </ChannelList>
  );
}

type ListedChannelProps = {
  cid: string;
  /** The channel before it in the list. */
  above: string | undefined;
  selected: boolean;
  onSelect: (cid: string) => void;
  hrefOf: ((cid: string) => string) | undefined;
};

const isPinned = (state: ChannelState | undefined): boolean => state?.membership?.pinned_at !== undefined;

/** The heading over the first pinned channel, and over the first that is not pinned. */
function PinnedHeading({ cid, above }: Pick<ListedChannelProps, 'cid' | 'above'>) {
  const text = useTexts(channelTexts);
  const pinned = useChannel(cid, isPinned);
  const pinnedAbove = useChannel(above ?? cid, isPinned);
  const begins = above === undefined ? pinned : pinned !== pinnedAbove;
  return begins && <h2 className={styles.heading}>{text(pinned ? 'pinnedChannels' : 'conversations')}</h2>;
}

const ListedChannel = memo(function ListedChannel(props: ListedChannelProps) {
  return (
    <>
      <PinnedHeading {...props} />
      <ListedEntry {...props} />
    </>
  );
});

/** The own user without the totals of unread messages: those change with every message, and would draw every entry again. */
const calledAs = (me: OwnUser | undefined) => me && { id: me.id, role: me.role };

function ListedEntry({ cid, selected, onSelect, hrefOf }: ListedChannelProps) {
  const text = useTexts(channelTexts);
  const carriedText = useTexts(attachmentTexts);
  const draftText = useTexts(draftTexts);
  const drafts = useFeature(draftBox);
  const me = useReadable(useClient().me, calledAs, isSame);
  const view = useChannel(
    cid,
    (state) =>
      state && {
        face: selectFace(state),
        preview: selectPreview(state, carriedText),
        unread: state.unread,
        mentioned: hasUnreadMention(state, me),
        muted: state.channel.muted ?? false,
      },
  );
  const typing = useTyping(cid);
  const draft = useReadable(
    useMemo(() => drafts.of(draftKey(cid)), [drafts, cid]),
    (kept) => draftWords(typedIn(kept), draftText),
  );
  if (view === undefined) return null;
  const { face, preview, ...marks } = view;
  const author = preview.isOwn ? text('you') : face.kind === 'direct' ? undefined : preview.author;
  return (
    <ChannelListItem
      name={face.title}
      avatar={<ChannelAvatar face={face} size="l" />}
      preview={preview.isDeleted ? text('messageDeleted') : preview.text}
      previewAuthor={preview.author === undefined ? undefined : author}
      at={preview.at}
      {...marks}
      typing={typing}
      draft={selected ? undefined : draft}
      selected={selected}
      href={hrefOf?.(cid)}
      onSelect={() => onSelect(cid)}
    />
  );
}

/** Loads the next page when it is in view. A page that was refused waits for a press. */
function MoreChannels({ list: { isLoadingMore, loadMore, status } }: { list: ChannelListView }) {
  const text = useTexts(channelTexts);
  if (status === 'error') return <Button onClick={loadMore}>{text('retry')}</Button>;
  if (isLoadingMore) return <Spinner label={text('loading')} />;
  return <div ref={(end: HTMLDivElement) => whenReached(end, loadMore)} />;
}

import type { Message } from '@parley/client';
import type { MediaKind } from '@parley/client/attachments';
import { useState } from 'react';
import { ChannelHeader } from '../../chat/channel-header.tsx';
import { useChannelTitle } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { IconMedia } from '../../ui/icon-media.tsx';
import { IconLink } from '../../ui/icons.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { useEscape } from '../../ui/use-escape.ts';
import { whenReached } from '../../ui/when-reached.ts';
import { IconPage } from './media-icons.tsx';
import styles from './media-panel.module.css';
import { FileRows, LinkRows, type RowsProps } from './media-panel-rows.tsx';
import { MediaTiles } from './media-panel-tiles.tsx';
import { mediaTexts } from './media-texts.ts';
import { useChannelMedia } from './use-channel-media.ts';

export type MediaPanelProps = {
  cid: string;
  onClose: () => void;
  /** Goes to the message of an item. */
  onJump: (message: Message) => void;
};

/** All that was shared in a conversation, beside it: pictures and videos, files, links; newest first. */
export function MediaPanel({ cid, onClose, onJump }: MediaPanelProps) {
  const text = useTexts(mediaTexts);
  const [kind, setKind] = useState<MediaKind>('media');
  useEscape(onClose);
  const list = (of: MediaKind) => <MediaList key={of} cid={cid} kind={of} onJump={onJump} />;
  return (
    <>
      <ChannelHeader name={text('panel')} detail={useChannelTitle(cid)} onBack={onClose} onClose={onClose} />
      <div className={styles.panel}>
        <Segmented
          value={kind}
          onChange={setKind}
          segments={[
            { id: 'media', label: text('media'), content: list('media') },
            { id: 'files', label: text('files'), content: list('files') },
            { id: 'links', label: text('links'), content: list('links') },
          ]}
        />
      </div>
    </>
  );
}

type ListProps = Pick<MediaPanelProps, 'cid' | 'onJump'> & { kind: MediaKind };

const empties = {
  media: { empty: 'noMedia', Icon: IconMedia },
  files: { empty: 'noFiles', Icon: IconPage },
  links: { empty: 'noLinks', Icon: IconLink },
} as const;

const lists = { media: MediaTiles, files: FileRows, links: LinkRows };

function MediaList({ cid, kind, onJump }: ListProps) {
  const text = useTexts(mediaTexts);
  const { items, status, hasMore, load } = useChannelMedia(cid, kind);
  if (items.length === 0 && status === 'failed')
    return (
      <EmptyState title={text('couldNotList')} action={<Button onClick={load}>{text('tryAgain')}</Button>} />
    );
  if (items.length === 0 && status === 'loading')
    return (
      <div className={styles.end}>
        <Spinner size={22} label={text('loading')} />
      </div>
    );
  if (items.length === 0 && !hasMore) {
    const { empty, Icon } = empties[kind];
    return <EmptyState icon={<Icon size={28} />} title={text(empty)} hint={text('emptyHint')} />;
  }
  const rows: RowsProps = { items, onJump, onMore: hasMore ? load : undefined };
  const Rows = lists[kind];
  return (
    <>
      <Rows {...rows} />
      {status === 'failed' ? (
        <div className={styles.end} role="alert">
          {text('couldNotList')}
          <Button onClick={load}>{text('tryAgain')}</Button>
        </div>
      ) : (
        hasMore && <More key={items.length} onMore={load} label={text('showMore')} />
      )}
    </>
  );
}

/** Loads the next page when its button comes near; the button is for users who do not scroll. */
function More({ onMore, label }: { onMore: () => void; label: string }) {
  const watch = (element: HTMLDivElement) =>
    whenReached(element, onMore, { root: element.closest('[role="tabpanel"]'), rootMargin: '400px' });
  return (
    <div ref={watch} className={styles.end}>
      <Button onClick={onMore}>{label}</Button>
    </div>
  );
}

import { useCallback, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useChannelTitle } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { cx, kitRoot } from '../../ui/cx.ts';
import { useNotices } from '../../ui/notices.tsx';
import { offerFocus } from '../../ui/offer-focus.ts';
import styles from './tray.module.css';
import type { TrayPlace } from './tray.ts';
import { TrayView } from './tray-view.tsx';
import { IconFile } from './upload-icons.tsx';
import { uploadTexts } from './upload-texts.ts';
import { type Incoming, useIncoming } from './use-incoming.ts';
import { useTray, useTrayNotices } from './use-tray.ts';

export type ComposerFilesProps = TrayPlace & {
  /** True where files may be added. */
  mayAdd: boolean;
};

const isTouch = () => matchMedia('(pointer: coarse)').matches;

/** The part of the composer for files: the tray, paste, and drop onto the conversation. */
export function ComposerFiles({ cid, parentId, editing, mayAdd }: ComposerFilesProps) {
  const text = useTexts(uploadTexts);
  const root = useRef<HTMLDivElement>(null);
  const tray = useTray({ cid, parentId, editing });
  const notices = useNotices();
  useTrayNotices();
  const take = ({ files, hasFolder }: Incoming) => {
    const reason = mayAdd ? (hasFolder ? text('folder') : undefined) : text('notAllowed');
    if (reason !== undefined) notices.show({ title: reason, tone: 'danger' });
    if (mayAdd && files.length > 0) tray?.add(files);
  };
  const zone = useIncoming(root, take);
  const focus = useCallback(() => {
    const field = root.current?.closest('[data-composer]')?.querySelector('textarea');
    if (!isTouch()) offerFocus(field);
  }, []);
  return (
    <div ref={root}>
      {tray && <TrayView tray={tray} onGrown={focus} />}
      {zone && mayAdd && <DropHere rect={zone.rect} cid={cid} isThread={parentId !== undefined} />}
    </div>
  );
}

type DropHereProps = { rect: DOMRect; cid: string; isThread: boolean };

/** Covers the conversation without catching events: a dropped file reaches the element below. */
function DropHere({ rect: { top, left, width, height }, cid, isThread }: DropHereProps) {
  const text = useTexts(uploadTexts);
  const name = useChannelTitle(cid);
  return createPortal(
    <div className={cx(kitRoot, styles.zone)} style={{ top, left, width, height }}>
      <div className={styles.zoneCard}>
        <IconFile size={32} />
        <strong>{text('drop')}</strong>
        <span>{isThread ? text('dropThreadHint') : text('dropHint', { name })}</span>
      </div>
    </div>,
    document.body,
  );
}

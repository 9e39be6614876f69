import type { VisibleMessage } from '@parley/client';
import { useLayoutEffect, useRef, useState } from 'react';
import { useClient } from '../../chat/client-provider.tsx';
import { AttachmentList } from './attachment-list.tsx';
import styles from './queued-list.module.css';
import type { Tray } from './tray.ts';
import { TrayView } from './tray-view.tsx';
import { trays } from './trays.ts';
import { useTrayNotices } from './use-tray.ts';

const nothing = () => {};

type QueuedListProps = { message: VisibleMessage };

/** The files of a message that waits for them, with their progress; they can still be cancelled, described and moved. */
export function QueuedList({ message }: QueuedListProps) {
  // Attachments of a product may have a state of their own.
  if (message.status === 'sent') return <AttachmentList message={message} />;
  return <Queue key={message.id} message={message} />;
}

function Queue({ message }: QueuedListProps) {
  const client = useClient();
  const [tray, setTray] = useState<Tray>();
  useTrayNotices();
  // A message that changes while it waits has the same files: they are asked for once.
  const first = useRef(message);
  useLayoutEffect(() => {
    setTray(client.feature(trays).queuedOf(first.current));
  }, [client]);
  return <div className={styles.queued}>{tray && <TrayView tray={tray} onGrown={nothing} />}</div>;
}

import { selectUserName, type VisibleMessage } from '@parley/client';
import { useFormat, useTexts } from '../../../i18n/text-context.tsx';
import { IconPin } from '../../../ui/icons.tsx';
import { messageTexts } from '../texts.ts';
import styles from './pinned-mark.module.css';

/** A pin whose time is over is not shown, also before the server removes it. */
export const isPinned = ({ pinned, pin_expires }: VisibleMessage): boolean =>
  pinned && (pin_expires === undefined || Date.parse(pin_expires) > Date.now());

/** The user who pinned a message and the expiry; a pin of the server has no user. */
export function usePinWords({ pinned_by: by, pin_expires: end }: VisibleMessage): string {
  const text = useTexts(messageTexts);
  const format = useFormat();
  const pinnedText = by ? text('pinnedBy', { name: selectUserName(by) }) : text('pinnedMark');
  return end === undefined ? pinnedText : `${pinnedText} ${text('pinnedUntil', { time: format.full(end) })}`;
}

export function PinnedMark({ message }: { message: VisibleMessage }) {
  return (
    <span className={styles.mark}>
      <IconPin size={13} />
      {usePinWords(message)}
    </span>
  );
}

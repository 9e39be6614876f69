import { selectUserName, type VisibleMessage } from '@parley/client';
import { useFormat, useText } from '../../i18n/text-context.tsx';
import { IconPin } from '../../ui/icons.tsx';
import styles from './pinned-mark.module.css';

/** A pin whose time is over is none, also before the server says so. */
export const isPinned = ({ pinned, pin_expires }: VisibleMessage): boolean =>
  pinned && (pin_expires === undefined || Date.parse(pin_expires) > Date.now());

export function PinnedMark({ message: { pinned_by: by, pin_expires: end } }: { message: VisibleMessage }) {
  const text = useText();
  const format = useFormat();
  return (
    <span className={styles.mark}>
      <IconPin size={13} />
      {text('pinnedBy', { name: by ? selectUserName(by) : '' })}
      {end !== undefined && ` ${text('pinnedUntil', { time: format.full(end) })}`}
    </span>
  );
}

import { selectUserName, type User } from '@parley/client';
import { useTexts } from '../../i18n/text-context.tsx';
import { AvatarStack } from '../../ui/avatar.tsx';
import { threadTexts } from './texts.ts';
import styles from './thread-chip.module.css';

export type ThreadChipProps = { count: number; people: readonly User[]; onOpen: () => void };

/** The button under a message with replies: their number and authors. */
export function ThreadChip({ count, people, onOpen }: ThreadChipProps) {
  const text = useTexts(threadTexts);
  const faces = people.map((user) => ({ id: user.id, name: selectUserName(user), imageUrl: user.image }));
  return (
    <button type="button" className={styles.chip} onClick={onOpen}>
      <AvatarStack people={faces} max={3} />
      {text('replyCount', { count: count })}
    </button>
  );
}

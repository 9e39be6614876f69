import { useFormat, useTexts } from '../../i18n/text-context.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import { emojiOfReaction } from './emojis.ts';
import styles from './reactions.module.css';
import { reactionTexts } from './texts.ts';

export type ReactionView = {
  /** An emoji, or one of the words for one. */
  emoji: string;
  count: number;
  /** The reader has given this one. */
  own: boolean;
  /** The names of some users who gave it, for the tooltip. */
  names?: readonly string[];
};

export type ReactionBarProps = {
  reactions: readonly ReactionView[];
  /** Left out where reacting is not allowed: the chips are then only read. */
  onToggle?: ((emoji: string) => void) | undefined;
};

/** The reactions under a message. */
export function ReactionBar({ reactions, onToggle }: ReactionBarProps) {
  if (reactions.length === 0) return null;
  return (
    <ul className={styles.bar}>
      {reactions.map((reaction) => (
        <li key={reaction.emoji}>
          <ReactionChip reaction={reaction} onToggle={onToggle} />
        </li>
      ))}
    </ul>
  );
}

type ReactionChipProps = { reaction: ReactionView; onToggle: ((emoji: string) => void) | undefined };

function ReactionChip({ reaction, onToggle }: ReactionChipProps) {
  const text = useTexts(reactionTexts);
  const format = useFormat();
  const { emoji: type, count, own, names = [] } = reaction;
  const emoji = emojiOfReaction(type);
  const others = count - names.length;
  const all = others > 0 ? [...names, text('andOthers', { count: others })] : names;
  const chip = (
    <button
      type="button"
      className={styles.chip}
      disabled={onToggle === undefined}
      aria-pressed={own}
      aria-label={text('reactionCount', { emoji, count })}
      onClick={() => onToggle?.(type)}
    >
      <span className={styles.chipEmoji}>{emoji}</span>
      <span>{count}</span>
    </button>
  );
  if (names.length === 0) return chip;
  return <Tooltip trigger={chip} text={text('reactedBy', { names: format.list(all), emoji })} />;
}

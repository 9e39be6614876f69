import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { cx } from '../../ui/cx.ts';
import { IconPlus } from '../../ui/icons.tsx';
import { EmojiPicker } from './emoji-picker.tsx';
import { quickEmojis } from './emojis.ts';
import styles from './reactions.module.css';
import { reactionTexts } from './texts.ts';

export type ReactionPickerProps = {
  onPick: (emoji: string) => void;
  /** The reactions that the user has already given, shown pressed. */
  picked?: readonly string[];
  quick?: readonly string[];
  large?: boolean;
};

/** Six quick emojis, and a grid behind the plus. Belongs inside a popover or sheet. */
export function ReactionPicker({
  onPick,
  picked = [],
  quick = quickEmojis,
  large = false,
}: ReactionPickerProps) {
  const text = useTexts(reactionTexts);
  const [all, setAll] = useState(false);
  return (
    <div className={cx(styles.picker, large && styles.large)}>
      <div className={styles.quick}>
        {quick.map((emoji) => (
          <button
            key={emoji}
            type="button"
            className={styles.emoji}
            aria-label={text('reactWith', { emoji })}
            aria-pressed={picked.includes(emoji)}
            onClick={() => onPick(emoji)}
          >
            {emoji}
          </button>
        ))}
        <button
          type="button"
          className={cx(styles.emoji, styles.more)}
          aria-label={text('moreEmojis')}
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          <IconPlus size={18} />
        </button>
      </div>
      {all && <EmojiPicker onPick={onPick} />}
    </div>
  );
}

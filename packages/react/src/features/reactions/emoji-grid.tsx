import { type KeyboardEvent, memo } from 'react';
import type { Emoji } from './emoji-data.ts';
import { type EmojiTone, withTone } from './emoji-tones.ts';
import styles from './reactions.module.css';

function columnsOf(grid: HTMLElement): number {
  return getComputedStyle(grid).gridTemplateColumns.split(' ').length;
}

function stepFor(key: string, grid: HTMLElement): number {
  const rtl = getComputedStyle(grid).direction === 'rtl';
  if (key === 'ArrowRight') return rtl ? -1 : 1;
  if (key === 'ArrowLeft') return rtl ? 1 : -1;
  if (key === 'ArrowDown') return columnsOf(grid);
  return key === 'ArrowUp' ? -columnsOf(grid) : 0;
}

/** Moves the focus between the buttons of a grid by arrow keys. */
export function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = stepFor(event.key, event.currentTarget);
  if (step === 0) return;
  event.preventDefault();
  const buttons = Array.from(event.currentTarget.querySelectorAll('button'));
  const here = event.target instanceof HTMLButtonElement ? buttons.indexOf(event.target) : -1;
  buttons[here + step]?.focus();
}

type ButtonProps = {
  emoji: Emoji;
  isFirst: boolean;
  tone: EmojiTone;
  onPick: (emoji: string) => void;
};

const EmojiButton = memo(function EmojiButton({ emoji: { char, name }, isFirst, tone, onPick }: ButtonProps) {
  return (
    <button
      type="button"
      className={styles.emoji}
      title={`:${name}:`}
      aria-label={name.replaceAll(/[_-]/g, ' ')}
      tabIndex={isFirst ? 0 : -1}
      onClick={() => onPick(char)}
    >
      {withTone(char, tone)}
    </button>
  );
});

export type EmojiGridProps = {
  label: string;
  emojis: readonly Emoji[];
  tone?: EmojiTone;
  /** Has to stay the same function, or every emoji is drawn again when the grid grows. */
  onPick: (emoji: string) => void;
};

/** A compact grid; arrows move inside it, so Tab passes over it in one step. */
export function EmojiGrid({ label, emojis, tone = '', onPick }: EmojiGridProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons under one name are no fields of a form
    <div className={styles.grid} role="group" aria-label={label} onKeyDown={moveFocus}>
      {emojis.map((emoji, index) => (
        <EmojiButton key={emoji.char} emoji={emoji} isFirst={index === 0} tone={tone} onPick={onPick} />
      ))}
    </div>
  );
}

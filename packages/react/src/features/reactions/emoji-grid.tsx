import type { KeyboardEvent } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { commonEmojis } from './emojis.ts';
import styles from './reactions.module.css';

const COLUMNS = 10;

function stepFor(key: string, rtl: boolean): number {
  if (key === 'ArrowRight') return rtl ? -1 : 1;
  if (key === 'ArrowLeft') return rtl ? 1 : -1;
  if (key === 'ArrowDown') return COLUMNS;
  return key === 'ArrowUp' ? -COLUMNS : 0;
}

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const step = stepFor(event.key, getComputedStyle(event.currentTarget).direction === 'rtl');
  if (step === 0) return;
  event.preventDefault();
  const buttons = Array.from(event.currentTarget.querySelectorAll('button'));
  const here = event.target instanceof HTMLButtonElement ? buttons.indexOf(event.target) : -1;
  buttons[here + step]?.focus();
}

export type EmojiGridProps = { onPick: (emoji: string) => void; emojis?: readonly string[] };

/** A compact grid; arrows move inside it, so Tab passes over it in one step. */
export function EmojiGrid({ onPick, emojis = commonEmojis }: EmojiGridProps) {
  const text = useText();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border
    <div className={styles.grid} role="group" aria-label={text('emojis')} onKeyDown={moveFocus}>
      {emojis.map((emoji, index) => (
        <button
          key={emoji}
          type="button"
          className={styles.emoji}
          tabIndex={index === 0 ? 0 : -1}
          onClick={() => onPick(emoji)}
        >
          {emoji}
        </button>
      ))}
    </div>
  );
}

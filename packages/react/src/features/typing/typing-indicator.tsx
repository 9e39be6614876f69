import { useTexts } from '../../i18n/text-context.tsx';
import { cx } from '../../ui/cx.ts';
import { typingTexts } from './texts.ts';
import styles from './typing-indicator.module.css';
import { typingText } from './typing-text.ts';

export type TypingIndicatorProps = { names: readonly string[] };

/** Keeps its height when nobody types, so the list above does not jump. */
export function TypingIndicator({ names }: TypingIndicatorProps) {
  const words = typingText(names, useTexts(typingTexts));
  return (
    <div className={styles.indicator} role="status">
      {words !== undefined && (
        <>
          <TypingDots />
          <span dir="auto" className={styles.words}>
            {words}
          </span>
        </>
      )}
    </div>
  );
}

/** The dots that move while somebody types. */
export function TypingDots() {
  return (
    <span className={styles.dots} aria-hidden="true">
      <span className={styles.dot} />
      <span className={cx(styles.dot, styles.second)} />
      <span className={cx(styles.dot, styles.third)} />
    </span>
  );
}

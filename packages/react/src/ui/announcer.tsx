import styles from './announcer.module.css';

export type AnnouncerProps = { text: string };

/** Announces each new `text` to screen readers; invisible. */
export function Announcer({ text }: AnnouncerProps) {
  return (
    <div className={styles.announcer} role="status" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  );
}

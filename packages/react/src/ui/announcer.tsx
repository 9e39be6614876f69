import styles from './announcer.module.css';

export type AnnouncerProps = { text: string };

/** Reads out each new `text` politely; seen by nobody. */
export function Announcer({ text }: AnnouncerProps) {
  return (
    <div className={styles.announcer} role="status" aria-live="polite" aria-atomic="true">
      {text}
    </div>
  );
}

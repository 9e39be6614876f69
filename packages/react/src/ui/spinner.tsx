import styles from './spinner.module.css';

export type SpinnerProps = { size?: number; label?: string };

/** A sign that something is loading. */
export function Spinner({ size = 20, label }: SpinnerProps) {
  const ring = (
    <svg
      className={styles.ring}
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      aria-hidden="true"
    >
      <circle cx="10" cy="10" r="7.5" stroke="currentColor" strokeWidth="2" opacity="0.2" />
      <path d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
  if (!label) return ring;
  return (
    <span className={styles.labelled} role="status" aria-label={label}>
      {ring}
    </span>
  );
}

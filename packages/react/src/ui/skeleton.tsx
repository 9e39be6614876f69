import { cx } from './cx.ts';
import styles from './skeleton.module.css';

const WIDTHS = ['62%', '44%', '71%', '53%', '38%', '66%', '49%'] as const;

function range(rows: number): readonly number[] {
  return Array.from({ length: rows }, (_, row) => row);
}

function Bar({ width }: { width: string | undefined }) {
  return <span className={cx(styles.shape, styles.bar)} style={{ inlineSize: width }} />;
}

export type SkeletonProps = { rows?: number; label: string };

/** The placeholder of a channel list that is loading. */
export function ChannelListSkeleton({ rows = 8, label }: SkeletonProps) {
  return (
    <div className={styles.list} role="status" aria-label={label}>
      {range(rows).map((row) => (
        <div key={row} className={styles.item}>
          <span className={cx(styles.shape, styles.face)} />
          <span className={styles.lines}>
            <Bar width={WIDTHS[(row + 3) % WIDTHS.length]} />
            <Bar width={WIDTHS[row % WIDTHS.length]} />
          </span>
        </div>
      ))}
    </div>
  );
}

/** The placeholder of messages that are loading. */
export function MessageListSkeleton({ rows = 6, label }: SkeletonProps) {
  return (
    <div className={cx(styles.list, styles.messages)} role="status" aria-label={label}>
      {range(rows).map((row) => (
        <div key={row} className={cx(styles.item, row % 3 === 2 && styles.own)}>
          {row % 3 !== 2 && <span className={cx(styles.shape, styles.small)} />}
          <span
            className={cx(styles.shape, styles.bubble)}
            style={{ inlineSize: WIDTHS[row % WIDTHS.length] }}
          />
        </div>
      ))}
    </div>
  );
}

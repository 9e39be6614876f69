import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export type EmptyStateProps = {
  title: string;
  hint?: string;
  icon?: ReactNode;
  action?: ReactNode;
  /** The level of the heading: 1 where nothing else heads the page. */
  level?: 1 | 2;
};

/** The text where there is nothing to show. */
export function EmptyState({ title, hint, icon, action, level = 2 }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <Heading className={styles.title}>{title}</Heading>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  );
}

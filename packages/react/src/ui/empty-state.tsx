import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

export type EmptyStateProps = { title: string; hint?: string; icon?: ReactNode; action?: ReactNode };

export function EmptyState({ title, hint, icon, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon !== undefined && <div className={styles.icon}>{icon}</div>}
      <h2 className={styles.title}>{title}</h2>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {action}
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './completion-list.module.css';

/** One entry of a list; `insert` replaces the part of it that was typed. */
export type Completion = {
  id: string;
  lead: ReactNode;
  label: string;
  detail?: string | undefined;
  insert: string;
  onChosen?: () => void;
};

export type CompletionListProps = {
  id: string;
  label: string;
  items: readonly Completion[];
  active: number;
  onPick: (item: Completion) => void;
};

export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** The completions above the field, so that the text stays in view. The focus stays in the field. */
export function CompletionList({ id, label, items, active, onPick }: CompletionListProps) {
  return (
    <div id={id} role="listbox" aria-label={label} className={styles.list}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Enter and the arrows are taken by the field, which keeps the focus
        <div
          key={item.id}
          id={optionId(id, index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          className={styles.option}
          // Taking the focus would close the list before the press is over.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onPick(item)}
          ref={index === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
        >
          <span className={styles.lead}>{item.lead}</span>
          <bdi className={styles.label}>{item.label}</bdi>
          {item.detail !== undefined && <bdi className={styles.detail}>{item.detail}</bdi>}
        </div>
      ))}
    </div>
  );
}

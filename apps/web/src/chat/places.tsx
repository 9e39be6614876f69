import { useDraftCount, useLaterCounts, useMe, useTexts } from '@parley/react';
import type { MouseEvent } from 'react';
import { appTexts } from '../app/texts.ts';
import styles from './places.module.css';

export type PlaceName = 'threads' | 'drafts' | 'reminders' | 'scheduled' | 'delete';

export type PlacesProps = { selected: PlaceName | undefined; onSelect: (place: PlaceName) => void };

/** The ways to what is not one conversation: threads, drafts, reminders and what waits to be sent. */
export function Places({ selected, onSelect }: PlacesProps) {
  const unread = useMe()?.unread_threads ?? 0;
  const drafts = useDraftCount();
  const { overdue, scheduled } = useLaterCounts();
  return (
    <div className={styles.places}>
      <Place name="threads" count={unread} isLoud selected={selected} onSelect={onSelect} />
      <Place name="drafts" count={drafts} selected={selected} onSelect={onSelect} />
      <Place name="reminders" count={overdue} isLoud selected={selected} onSelect={onSelect} />
      {(scheduled > 0 || selected === 'scheduled') && (
        <Place name="scheduled" count={scheduled} selected={selected} onSelect={onSelect} />
      )}
    </div>
  );
}

type PlaceProps = PlacesProps & { name: Exclude<PlaceName, 'delete'>; count: number; isLoud?: boolean };

function Place({ name, count, isLoud = false, selected, onSelect }: PlaceProps) {
  const text = useTexts(appTexts);
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onSelect(name);
  };
  return (
    <a
      href={`/${name}`}
      className={styles.place}
      aria-current={selected === name ? 'page' : undefined}
      onClick={follow}
    >
      {text(name)}
      {count > 0 && (
        <span className={styles.count} data-loud={isLoud || undefined}>
          {count > 99 ? '99+' : count}
        </span>
      )}
    </a>
  );
}

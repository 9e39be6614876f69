import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './lazy-map.module.css';
import type { LocationMapProps } from './location-map.tsx';

function Room({ isOpen }: LocationMapProps) {
  return <div className={styles.room} data-open={isOpen || undefined} />;
}

/** The map once its library has come; until then, and without it, the room that it takes. */
export const LazyMap = lazyPart<LocationMapProps>(
  async () => (await import('./location-map.tsx')).LocationMap,
  { Waiting: Room, Missing: Room },
);

import { lazyPart } from '../../ui/lazy-part.tsx';
import styles from './lazy-map.module.css';
import type { LocationMapProps } from './location-map.tsx';

function Room({ isOpen }: LocationMapProps) {
  return <div className={styles.placeholder} data-open={isOpen || undefined} />;
}

/** The map once its library is loaded; until then, and without it, a placeholder. */
export const LazyMap = lazyPart<LocationMapProps>(
  async () => (await import('./location-map.tsx')).LocationMap,
  { Waiting: Room, Missing: Room },
);

import { Spinner } from '@parley/react';
import { lazy, Suspense } from 'react';
import styles from '../app/app.module.css';
import type { PlaceName } from './places.tsx';

// Loaded when somebody goes there: most visits are to conversations.
const ThreadInbox = lazy(async () => ({ default: (await import('@parley/react/threads')).ThreadInbox }));
const DraftsScreen = lazy(async () => ({ default: (await import('@parley/react/drafts')).DraftsScreen }));

export type PlaceScreenProps = {
  place: PlaceName;
  onOpen: (cid: string, parentId: string | undefined) => void;
  onBack: () => void;
};

export function PlaceScreen({ place, onOpen, onBack }: PlaceScreenProps) {
  const waiting = (
    <span className={styles.wait}>
      <Spinner size={28} label="Loading" />
    </span>
  );
  return (
    <Suspense fallback={waiting}>
      {place === 'threads' ? (
        <ThreadInbox onOpen={onOpen} onBack={onBack} />
      ) : (
        <DraftsScreen onOpen={onOpen} onBack={onBack} />
      )}
    </Suspense>
  );
}

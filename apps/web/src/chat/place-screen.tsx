import { Spinner } from '@parley/react';
import { lazy, Suspense } from 'react';
import styles from '../app/app.module.css';
import { type MessageSpot, spotOf } from './message-spot.ts';
import type { PlaceName } from './places.tsx';

// Loaded when somebody goes there: most visits are to conversations.
const ThreadInbox = lazy(async () => ({ default: (await import('@parley/react/threads')).ThreadInbox }));
const DraftsScreen = lazy(async () => ({ default: (await import('@parley/react/drafts')).DraftsScreen }));
const RemindersScreen = lazy(async () => ({
  default: (await import('@parley/react/reminders')).RemindersScreen,
}));
const ScheduledScreen = lazy(async () => ({
  default: (await import('@parley/react/reminders')).ScheduledScreen,
}));
const DeleteChannels = lazy(async () => ({
  default: (await import('@parley/react/tasks')).DeleteChannelsScreen,
}));

export type PlaceScreenProps = {
  place: PlaceName;
  onOpen: (cid: string, parentId: string | undefined) => void;
  onOpenMessage: (message: MessageSpot) => void;
  onBack: () => void;
};

export function PlaceScreen({ place, onOpen, onOpenMessage, onBack }: PlaceScreenProps) {
  const waiting = (
    <span className={styles.wait}>
      <Spinner size={28} label="Loading" />
    </span>
  );
  return (
    <Suspense fallback={waiting}>
      {place === 'delete' ? (
        <DeleteChannels onBack={onBack} />
      ) : place === 'threads' ? (
        <ThreadInbox onOpen={onOpen} onBack={onBack} />
      ) : place === 'reminders' ? (
        <RemindersScreen onOpen={(reminder) => onOpenMessage(spotOf(reminder))} onBack={onBack} />
      ) : place === 'scheduled' ? (
        <ScheduledScreen onOpen={onOpen} onBack={onBack} />
      ) : (
        <DraftsScreen onOpen={onOpen} onBack={onBack} />
      )}
    </Suspense>
  );
}

import { lazyPart, Spinner, useTexts } from '@parley/react';
import styles from '../app/app.module.css';
import { appTexts } from '../app/texts.ts';
import { type MessageSpot, spotOf } from './message-spot.ts';
import type { PlaceName } from './places.tsx';

function Waiting() {
  const text = useTexts(appTexts);
  return (
    <span className={styles.wait}>
      <Spinner size={28} label={text('loading')} />
    </span>
  );
}

// Loaded when somebody goes there: most visits are to conversations.
const ThreadInbox = lazyPart(async () => (await import('@parley/react/threads')).ThreadInbox, { Waiting });
const DraftsScreen = lazyPart(async () => (await import('@parley/react/drafts')).DraftsScreen, { Waiting });
const later = () => import('@parley/react/reminders');
const RemindersScreen = lazyPart(async () => (await later()).RemindersScreen, { Waiting });
const ScheduledScreen = lazyPart(async () => (await later()).ScheduledScreen, { Waiting });
const DeleteChannels = lazyPart(async () => (await import('@parley/react/tasks')).DeleteChannelsScreen, {
  Waiting,
});

export type PlaceScreenProps = {
  place: PlaceName;
  onOpen: (cid: string, parentId: string | undefined) => void;
  onOpenMessage: (message: MessageSpot) => void;
  onBack: () => void;
};

export function PlaceScreen({ place, onOpen, onOpenMessage, onBack }: PlaceScreenProps) {
  switch (place) {
    case 'delete':
      return <DeleteChannels onBack={onBack} />;
    case 'threads':
      return <ThreadInbox onOpen={onOpen} onBack={onBack} />;
    case 'reminders':
      return <RemindersScreen onOpen={(reminder) => onOpenMessage(spotOf(reminder))} onBack={onBack} />;
    case 'scheduled':
      return <ScheduledScreen onOpen={onOpen} onBack={onBack} />;
    case 'drafts':
      return <DraftsScreen onOpen={onOpen} onBack={onBack} />;
  }
}

import { useTexts } from '@parley/react';
import { latePanel } from '@parley/react/late-panel';
import { ThreadInbox } from '@parley/react/threads';
import { appTexts } from '../app/texts.ts';
import { type MessageSpot, spotOf } from './message-spot.ts';
import type { PlaceName } from './places.tsx';

type NamedPlace = 'drafts' | 'reminders' | 'scheduled' | 'deleteConversations';
const usePlaceName = (place: NamedPlace): string => useTexts(appTexts)(place);

// Loaded when somebody goes there: most visits are to conversations.
const DraftsScreen = latePanel(
  async () => (await import('@parley/react/drafts')).DraftsScreen,
  () => usePlaceName('drafts'),
);
const RemindersScreen = latePanel(
  async () => (await import('@parley/react/reminders')).RemindersScreen,
  () => usePlaceName('reminders'),
);
const ScheduledScreen = latePanel(
  async () => (await import('@parley/react/scheduled-messages')).ScheduledScreen,
  () => usePlaceName('scheduled'),
);
const DeleteChannels = latePanel(
  async () => (await import('@parley/react/tasks')).DeleteChannelsScreen,
  () => usePlaceName('deleteConversations'),
);

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

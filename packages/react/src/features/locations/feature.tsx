import type { VisibleMessage } from '@parley/client';
import { useState } from 'react';
import { useCapability } from '../../chat/use-channel.ts';
import { useTexts } from '../../i18n/text-context.tsx';
import { summaryOf } from '../../summary/message-summary.ts';
import { attachmentTexts } from '../../summary/texts.ts';
import { supplier } from '../../ui/collect.tsx';
import { IconLocation } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerAddition, ComposerPart, ComposerState } from '../composer/composer-parts.ts';
import { answerFields } from '../drafts/draft-box.ts';
import type { MessagePart } from '../messages/message-parts.ts';
import type { LocationDialogProps } from './location-dialog.tsx';
import { locationMenuTexts } from './menu-texts.ts';

type Props = { message: VisibleMessage };

const LocationBubble = lazyPart<Props>(async () => (await import('./location-bubble.tsx')).LocationBubble, {
  Waiting: LocationWaiting,
  Missing: LocationMissing,
});

const LocationDialog = lazyPart<LocationDialogProps>(
  async () => (await import('./location-dialog.tsx')).LocationDialog,
);

function LocationWaiting() {
  return <div style={{ inlineSize: '21rem', maxInlineSize: '100%', blockSize: '16.5rem' }} />;
}

/** Shown where the map cannot be loaded. */
function LocationMissing({ message }: Props) {
  return <bdi>{summaryOf({ ...message, text: '' }, useTexts(attachmentTexts))}</bdi>;
}

/** The entry of the menu and its dialog, which shares the user's location. */
function useSharing({ cid, parentId, composer, onSent, mayWrite }: ComposerState): ComposerAddition {
  const text = useTexts(locationMenuTexts);
  const mayShare = useCapability(cid, 'share-location');
  const [isOpen, setOpen] = useState(false);
  // The dialog goes with the right to write, and does not open by itself when that comes back.
  if (isOpen && !mayWrite) setOpen(false);
  return {
    entry:
      mayShare && !composer.draft.editing
        ? {
            id: 'location',
            label: text('shareLocation'),
            icon: <IconLocation />,
            onSelect: () => setOpen(true),
          }
        : undefined,
    leading: isOpen && (
      <LocationDialog
        cid={cid}
        message={answerFields(composer.draft, parentId)}
        onClose={() => setOpen(false)}
        onSent={() => {
          setOpen(false);
          composer.acts.partSent();
          onSent?.();
        }}
      />
    ),
  };
}

export const locations: MessagePart & ComposerPart = {
  name: 'locations',
  above: (message) => (message.shared_location ? <LocationBubble message={message} /> : undefined),
  Addition: supplier(useSharing),
};

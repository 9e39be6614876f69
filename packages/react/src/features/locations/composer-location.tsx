import { useState } from 'react';
import { useText } from '../../i18n/text-context.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { IconLocation } from '../../ui/icons.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useChannel } from '../channels/use-channel.ts';
import type { ComposerControls } from '../messages/use-composer.ts';
import type { LocationDialogProps } from './location-dialog.tsx';

const LocationDialog = lazyPart<LocationDialogProps>(
  async () => (await import('./location-dialog.tsx')).LocationDialog,
);

export type ComposerLocationProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
};

/** The button beside the composer for who may share where they are, and its dialog. */
export function ComposerLocation({ cid, parentId, composer, onSent }: ComposerLocationProps) {
  const { draft, acts } = composer;
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const mayShare = useChannel(cid, (state) => state?.capabilities.has('share-location') ?? false);
  if (!mayShare || draft.editing) return null;
  const { quote, isAlsoInChannel } = draft;
  return (
    <>
      <IconButton label={text('shareLocation')} onClick={() => setOpen(true)}>
        <IconLocation />
      </IconButton>
      {isOpen && (
        <LocationDialog
          cid={cid}
          message={{
            ...(quote && { quoted_message_id: quote.id }),
            ...(parentId && { parent_id: parentId, show_in_channel: isAlsoInChannel === true }),
          }}
          onClose={() => setOpen(false)}
          onSent={() => {
            setOpen(false);
            acts.quoteSent();
            onSent?.();
          }}
        />
      )}
    </>
  );
}

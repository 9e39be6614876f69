import { lazyPart } from '../../ui/lazy-part.tsx';
import type { ComposerControls } from '../composer/use-composer.ts';
import type { LocationDialogProps } from './location-dialog.tsx';

const LocationDialog = lazyPart<LocationDialogProps>(
  async () => (await import('./location-dialog.tsx')).LocationDialog,
);

export type ComposerLocationProps = {
  cid: string;
  parentId?: string | undefined;
  composer: ComposerControls;
  onSent?: (() => void) | undefined;
  onClose: () => void;
};

/** The dialog in which one shares where one is, from the composer. */
export function ComposerLocation({ cid, parentId, composer, onSent, onClose }: ComposerLocationProps) {
  const { quote, isAlsoInChannel } = composer.draft;
  return (
    <LocationDialog
      cid={cid}
      message={{
        ...(quote && { quoted_message_id: quote.id }),
        ...(parentId && { parent_id: parentId, show_in_channel: isAlsoInChannel === true }),
      }}
      onClose={onClose}
      onSent={() => {
        onClose();
        composer.acts.quoteSent();
        onSent?.();
      }}
    />
  );
}

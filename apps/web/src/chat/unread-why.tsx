import { lazyPart } from '@parley/react';
import type { MessageSpot } from './message-spot.ts';

const UnreadDialog = lazyPart(async () => (await import('@parley/react/reads')).UnreadDialog);

export type UnreadWhyProps = { onClose: () => void; onOpen: (message: MessageSpot) => void };

/** The messages that the unread numbers are made of. */
export function UnreadWhy({ onClose, onOpen }: UnreadWhyProps) {
  const open = (message: MessageSpot) => {
    onClose();
    onOpen(message);
  };
  return <UnreadDialog onClose={onClose} onOpenMessage={open} />;
}

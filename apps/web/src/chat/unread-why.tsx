import { lazy, Suspense } from 'react';

const UnreadDialog = lazy(async () => ({ default: (await import('@parley/react/reads')).UnreadDialog }));

export type UnreadWhyProps = { onClose: () => void; onOpen: (message: { cid: string; id: string }) => void };

/** Which messages the unread numbers are made of. */
export function UnreadWhy({ onClose, onOpen }: UnreadWhyProps) {
  const open = (message: { cid: string; id: string }) => {
    onClose();
    onOpen(message);
  };
  return (
    <Suspense>
      <UnreadDialog onClose={onClose} onOpenMessage={open} />
    </Suspense>
  );
}

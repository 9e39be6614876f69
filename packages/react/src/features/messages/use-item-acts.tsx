import type { VisibleMessage } from '@parley/client';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { DeleteDialog } from './delete-dialog.tsx';
import type { MessageItemActs } from './message-item.tsx';
import type { ComposerActs } from './use-composer.ts';
import { useMessageActions } from './use-message-actions.ts';

const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }));

const MessageInfoDialog = lazy(async () => ({
  default: (await import('../reads/message-info-dialog.tsx')).MessageInfoDialog,
}));

export type ItemActsOptions = {
  composer: ComposerActs;
  openQuote: (messageId: string) => void;
  openThread?: ((message: VisibleMessage) => void) | undefined;
  /** The address of a message, for its link; without it no link is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
};

/** All that rows offer, as one object that stays the same, and the question before a deletion. */
export function useItemActs({ composer, openQuote, openThread, linkOf }: ItemActsOptions): {
  acts: MessageItemActs;
  dialog: ReactNode;
} {
  const actions = useMessageActions();
  const [doomed, setDoomed] = useState<VisibleMessage>();
  const [past, setPast] = useState<VisibleMessage>();
  const [known, setKnown] = useState<VisibleMessage>();
  const acts = useMemo(
    () => ({
      ...actions,
      quote: composer.quote,
      edit: composer.edit,
      remove: setDoomed,
      openQuote,
      openThread,
      openHistory: setPast,
      openInfo: setKnown,
      copyLink:
        linkOf &&
        ((message: VisibleMessage) => void navigator.clipboard.writeText(linkOf(message)).catch(() => {})),
    }),
    [actions, composer, openQuote, openThread, linkOf],
  );
  const close = () => setDoomed(undefined);
  const remove = () => {
    if (doomed) actions.remove(doomed);
    close();
  };
  const dialog = (
    <>
      <DeleteDialog open={doomed !== undefined} onCancel={close} onDelete={remove} />
      <Suspense>
        {known && <MessageInfoDialog message={known} onClose={() => setKnown(undefined)} />}
      </Suspense>
      <Suspense>{past && <HistoryDialog message={past} onClose={() => setPast(undefined)} />}</Suspense>
    </>
  );
  return { acts, dialog };
}

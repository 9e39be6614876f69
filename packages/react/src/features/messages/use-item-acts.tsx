import type { VisibleMessage } from '@parley/client';
import { type ReactNode, useMemo, useState } from 'react';
import { DeleteDialog } from './delete-dialog.tsx';
import type { MessageItemActs } from './message-item.tsx';
import type { ComposerActs } from './use-composer.ts';
import { useMessageActions } from './use-message-actions.ts';

export type ItemActsOptions = {
  composer: ComposerActs;
  openQuote: (messageId: string) => void;
  openThread?: ((message: VisibleMessage) => void) | undefined;
};

/** All that rows offer, as one object that stays the same, and the question before a deletion. */
export function useItemActs({ composer, openQuote, openThread }: ItemActsOptions): {
  acts: MessageItemActs;
  dialog: ReactNode;
} {
  const actions = useMessageActions();
  const [doomed, setDoomed] = useState<VisibleMessage>();
  const acts = useMemo(
    () => ({
      ...actions,
      quote: composer.quote,
      edit: composer.edit,
      remove: setDoomed,
      openQuote,
      openThread,
    }),
    [actions, composer, openQuote, openThread],
  );
  const close = () => setDoomed(undefined);
  const remove = () => {
    if (doomed) actions.remove(doomed);
    close();
  };
  return { acts, dialog: <DeleteDialog open={doomed !== undefined} onCancel={close} onDelete={remove} /> };
}

import type { VisibleMessage } from '@parley/client';
import { type ReactNode, useMemo, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useReminding } from '../reminders/use-reminding.tsx';
import type { DeleteDialogProps } from './delete-dialog.tsx';
import type { MessageItemActs } from './message-item.tsx';
import type { PinDialogProps } from './pin-dialog.tsx';
import type { ComposerActs } from './use-composer.ts';
import { useMessageActions } from './use-message-actions.ts';

const DeleteDialog = lazyPart<DeleteDialogProps>(
  async () => (await import('./delete-dialog.tsx')).DeleteDialog,
);
const PinDialog = lazyPart<PinDialogProps>(async () => (await import('./pin-dialog.tsx')).PinDialog);

const HistoryDialog = lazyPart(async () => (await import('./history-dialog.tsx')).HistoryDialog);
const MessageInfoDialog = lazyPart(
  async () => (await import('../reads/message-info-dialog.tsx')).MessageInfoDialog,
);

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
  const reminding = useReminding();
  const [doomed, setDoomed] = useState<VisibleMessage>();
  const [pinning, setPinning] = useState<VisibleMessage>();
  const [past, setPast] = useState<VisibleMessage>();
  const [known, setKnown] = useState<VisibleMessage>();
  const acts = useMemo(
    () => ({
      ...actions,
      ...reminding.acts,
      quote: composer.quote,
      edit: composer.edit,
      remove: setDoomed,
      choosePin: setPinning,
      openQuote,
      openThread,
      openHistory: setPast,
      openInfo: setKnown,
      copyLink:
        linkOf &&
        ((message: VisibleMessage) => void navigator.clipboard.writeText(linkOf(message)).catch(() => {})),
    }),
    [actions, reminding.acts, composer, openQuote, openThread, linkOf],
  );
  const remove = (hard: boolean) => {
    if (doomed) actions.remove(doomed, hard);
    setDoomed(undefined);
  };
  const pin = (expires: string) => {
    if (pinning) actions.pin(pinning, expires);
    setPinning(undefined);
  };
  const dialog = (
    <>
      {reminding.dialog}
      {doomed && <DeleteDialog onCancel={() => setDoomed(undefined)} onDelete={remove} />}
      {pinning && <PinDialog onCancel={() => setPinning(undefined)} onPin={pin} />}
      {known && <MessageInfoDialog message={known} onClose={() => setKnown(undefined)} />}
      {past && <HistoryDialog message={past} onClose={() => setPast(undefined)} />}
    </>
  );
  return { acts, dialog };
}

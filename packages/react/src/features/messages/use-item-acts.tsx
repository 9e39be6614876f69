import type { VisibleMessage } from '@parley/client';
import { type ReactNode, useMemo, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { DialogReturn } from '../../ui/dialog-return.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useNotices } from '../../ui/notices.tsx';
import type { ComposerActs } from '../composer/use-composer.ts';
import { useReminding } from '../reminders/use-reminding.tsx';
import type { DeleteDialogProps } from './delete-dialog.tsx';
import type { MessageItemActs } from './message-item.tsx';
import type { PinDialogProps } from './pin-dialog.tsx';
import { messageTexts } from './texts.ts';
import { useMessageActions } from './use-message-actions.ts';
import { useRowReturn } from './use-row-return.ts';

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
  const notices = useNotices();
  const text = useTexts(messageTexts);
  const [doomed, setDoomed] = useState<VisibleMessage>();
  const [pinning, setPinning] = useState<VisibleMessage>();
  const [past, setPast] = useState<VisibleMessage>();
  const [known, setKnown] = useState<VisibleMessage>();
  const { leave, back } = useRowReturn();
  const acts = useMemo(() => {
    const opens = (open: (message: VisibleMessage) => void) => (message: VisibleMessage) => {
      leave();
      open(message);
    };
    return {
      ...actions,
      ...reminding.acts,
      remind: opens(reminding.acts.remind),
      quote: composer.quote,
      edit: composer.edit,
      delete: opens(setDoomed),
      choosePin: opens(setPinning),
      openQuote,
      openThread,
      openHistory: opens(setPast),
      openInfo: opens(setKnown),
      copyLink:
        linkOf &&
        ((message: VisibleMessage) =>
          void navigator.clipboard.writeText(linkOf(message)).then(
            () => notices.show({ title: text('linkCopied'), tone: 'success' }),
            () => {},
          )),
    };
  }, [actions, reminding.acts, composer, openQuote, openThread, linkOf, notices, text, leave]);
  const remove = (hard: boolean) => {
    if (doomed) actions.delete(doomed, hard);
    setDoomed(undefined);
  };
  const pin = (expires: string) => {
    if (pinning) actions.pin(pinning, expires);
    setPinning(undefined);
  };
  const dialog = (
    <DialogReturn value={back}>
      {reminding.dialog}
      {doomed && <DeleteDialog onCancel={() => setDoomed(undefined)} onDelete={remove} />}
      {pinning && <PinDialog onCancel={() => setPinning(undefined)} onPin={pin} />}
      {known && <MessageInfoDialog message={known} onClose={() => setKnown(undefined)} />}
      {past && <HistoryDialog message={past} onClose={() => setPast(undefined)} />}
    </DialogReturn>
  );
  return { acts, dialog };
}

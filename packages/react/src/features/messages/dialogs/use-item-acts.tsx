import type { VisibleMessage } from '@parley/client';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTexts } from '../../../i18n/text-context.tsx';
import { Boundary } from '../../../ui/boundary.tsx';
import { DialogReturn } from '../../../ui/dialog-return.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { useNotices } from '../../../ui/notices.tsx';
import type { MessageDialogProps, MessageItemActs } from '../message-item-props.ts';
import { messageTexts } from '../texts.ts';
import { useMessageActions } from '../use-message-actions.ts';
import { useRowReturn } from './use-row-return.ts';

const DeleteDialog = lazyPart<MessageDialogProps>(
  async () => (await import('./delete-dialog.tsx')).DeleteDialog,
);
const PinDialog = lazyPart<MessageDialogProps>(async () => (await import('./pin-dialog.tsx')).PinDialog);

const HistoryDialog = lazyPart(async () => (await import('./history-dialog.tsx')).HistoryDialog);

export type ItemActsOptions = {
  /** The composer below the messages. */
  composer: Pick<MessageItemActs, 'quote' | 'edit'>;
  openQuote: (messageId: string) => void;
  openThread?: ((message: VisibleMessage) => void) | undefined;
  /** The address of a message, for its link; without it no link is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
};

/** Copies a text, and shows `done` as a notice, or that it couldn't. */
export function useCopy(): (words: string, done: string) => Promise<unknown> {
  const notices = useNotices();
  const text = useTexts(messageTexts);
  return useCallback(
    async (words, done) => {
      try {
        // A page that was not opened over https has no clipboard.
        await navigator.clipboard.writeText(words);
        notices.show({ title: done, tone: 'success' });
      } catch {
        notices.show({ title: text('notCopied'), tone: 'danger' });
      }
    },
    [notices, text],
  );
}

/** All actions of rows, as one object that stays the same, and the dialog before a deletion. */
export function useItemActs({ composer, openQuote, openThread, linkOf }: ItemActsOptions): {
  acts: MessageItemActs;
  dialog: ReactNode;
} {
  const actions = useMessageActions();
  const copy = useCopy();
  const text = useTexts(messageTexts);
  const [open, setOpen] = useState<Parameters<MessageItemActs['openDialog']>>();
  const { leave, back } = useRowReturn();
  const acts = useMemo(() => {
    const openDialog: MessageItemActs['openDialog'] = (...dialog) => {
      leave();
      setOpen(dialog);
    };
    return {
      ...actions,
      quote: composer.quote,
      edit: composer.edit,
      // A message that nobody has seen goes without a question.
      delete: (message: VisibleMessage) =>
        message.status === 'sent' ? openDialog(DeleteDialog, message) : actions.delete(message, true),
      choosePin: (message: VisibleMessage) => openDialog(PinDialog, message),
      openQuote,
      openThread,
      openHistory: (message: VisibleMessage) => openDialog(HistoryDialog, message),
      openDialog,
      copy: (message: VisibleMessage) => void copy(message.text, text('copied')),
      copyLink: linkOf && ((message: VisibleMessage) => void copy(linkOf(message), text('linkCopied'))),
    };
  }, [actions, composer, openQuote, openThread, linkOf, copy, text, leave]);
  const [Dialog, message] = open ?? [];
  const dialog = Dialog && message && (
    <DialogReturn value={back}>
      <Boundary of={open} fallback={text('partFailed')}>
        <Dialog message={message} onClose={() => setOpen(undefined)} />
      </Boundary>
    </DialogReturn>
  );
  return { acts, dialog };
}

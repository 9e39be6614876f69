import type { VisibleMessage } from '@parley/client';
import { Fragment, type ReactNode, useCallback, useMemo, useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { DialogReturn } from '../../ui/dialog-return.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { useNotices } from '../../ui/notices.tsx';
import type { DeleteDialogProps } from './delete-dialog.tsx';
import type { MessageItemActs, PartActs } from './message-item-props.ts';
import { type Opens, useMessageParts } from './message-parts.ts';
import type { PinDialogProps } from './pin-dialog.tsx';
import { messageTexts } from './texts.ts';
import { useMessageActions } from './use-message-actions.ts';
import { useRowReturn } from './use-row-return.ts';

const DeleteDialog = lazyPart<DeleteDialogProps>(
  async () => (await import('./delete-dialog.tsx')).DeleteDialog,
);
const PinDialog = lazyPart<PinDialogProps>(async () => (await import('./pin-dialog.tsx')).PinDialog);

const HistoryDialog = lazyPart(async () => (await import('./history-dialog.tsx')).HistoryDialog);

export type ItemActsOptions = {
  /** The composer below the messages. */
  composer: Pick<MessageItemActs, 'quote' | 'edit'>;
  openQuote: (messageId: string) => void;
  openThread?: ((message: VisibleMessage) => void) | undefined;
  /** The address of a message, for its link; without it no link is offered. */
  linkOf?: ((message: VisibleMessage) => string) | undefined;
};

const nothing = () => {};
const noPartActs: PartActs = {
  openInfo: nothing,
  remind: nothing,
  saveForLater: nothing,
  forgetReminder: nothing,
};

/** The actions and dialogs of other features. */
function useParts(opens: Opens) {
  const given = useMessageParts().flatMap(({ name, useActs }) =>
    // biome-ignore lint/correctness/useHookAtTopLevel: the list of a provider never changes
    useActs ? [{ name, ...useActs(opens) }] : [],
  );
  const acts = useMemo(
    () => {
      const all = { ...noPartActs };
      for (const part of given) Object.assign(all, part.acts);
      return all;
    },
    // biome-ignore lint/correctness/useExhaustiveDependencies: the same parts at every render
    given.map((part) => part.acts),
  );
  return { acts, dialogs: given.map(({ name, dialog }) => <Fragment key={name}>{dialog}</Fragment>) };
}

/** Copies a text, and shows `done` as a notice, or that it couldn't. */
function useCopy(): (words: string, done: string) => Promise<unknown> {
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
  const [doomed, setDoomed] = useState<VisibleMessage>();
  const [pinning, setPinning] = useState<VisibleMessage>();
  const [past, setPast] = useState<VisibleMessage>();
  const { leave, back } = useRowReturn();
  const opens: Opens = useCallback(
    (open) => (message) => {
      leave();
      open(message);
    },
    [leave],
  );
  const parts = useParts(opens);
  const acts = useMemo(
    () => ({
      ...actions,
      ...parts.acts,
      quote: composer.quote,
      edit: composer.edit,
      // A message that nobody has seen goes without a question.
      delete: (message: VisibleMessage) =>
        message.status === 'sent' ? opens(setDoomed)(message) : actions.delete(message, true),
      choosePin: opens(setPinning),
      openQuote,
      openThread,
      openHistory: opens(setPast),
      copy: (message: VisibleMessage) => void copy(message.text, text('copied')),
      copyLink: linkOf && ((message: VisibleMessage) => void copy(linkOf(message), text('linkCopied'))),
    }),
    [actions, parts.acts, composer, openQuote, openThread, linkOf, copy, text, opens],
  );
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
      {parts.dialogs}
      {doomed && <DeleteDialog onCancel={() => setDoomed(undefined)} onDelete={remove} />}
      {pinning && <PinDialog onCancel={() => setPinning(undefined)} onPin={pin} />}
      {past && <HistoryDialog message={past} onClose={() => setPast(undefined)} />}
    </DialogReturn>
  );
  return { acts, dialog };
}

import type { ReactNode } from 'react';
import { commonTexts } from '../i18n/common-texts.ts';
import { useTexts } from '../i18n/text-context.tsx';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export type Confirmation = { title: string; hint: string; label: string; onConfirm: () => void };

export type ConfirmDialogProps = {
  asked: Confirmation | undefined;
  onClose: () => void;
  /** A choice that belongs to the action. */
  children?: ReactNode;
};

/** Asks once more before an action that cannot be undone. */
export function ConfirmDialog({ asked, onClose, children }: ConfirmDialogProps) {
  const text = useTexts(commonTexts);
  if (asked === undefined) return null;
  const confirm = () => {
    onClose();
    asked.onConfirm();
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={asked.title}
      description={asked.hint}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button variant="danger" onClick={confirm}>
            {asked.label}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

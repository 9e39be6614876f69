import { useState } from 'react';
import { useTexts } from '../../i18n/text-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { lateMessageTexts } from './late-texts.ts';
import styles from './message-choices.module.css';

export type DeleteDialogProps = { onCancel: () => void; onDelete: (hard: boolean) => void };

/** Asks before a deletion, and whether it is for good. */
export function DeleteDialog({ onCancel, onDelete }: DeleteDialogProps) {
  const text = useTexts(lateMessageTexts);
  const [isHard, setHard] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onCancel()}
      title={text('deleteTitle')}
      description={text('deleteHint')}
      footer={
        <>
          <Button onClick={onCancel}>{text('cancel')}</Button>
          <Button variant="danger" onClick={() => onDelete(isHard)}>
            {text('delete')}
          </Button>
        </>
      }
    >
      <label className={styles.choice}>
        <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.target.checked)} />
        <span>
          {text('deleteHard')}
          <small className={styles.hint}>{text('deleteHardHint')}</small>
        </span>
      </label>
    </Dialog>
  );
}

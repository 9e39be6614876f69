import { useState } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useRefusal } from '../../../chat/use-refusal.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { lateMessageTexts } from '../late-texts.ts';
import type { MessageDialogProps } from '../message-item-props.ts';
import styles from './message-choices.module.css';

/** Asks before a deletion, and whether it is for good. */
export function DeleteDialog({ message, onClose }: MessageDialogProps) {
  const text = useTexts(lateMessageTexts);
  const { messages } = useClient();
  const showRefusal = useRefusal();
  const [isHard, setHard] = useState(false);
  const remove = () => {
    messages.delete(message, { hard: isHard }).catch(showRefusal);
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={text('deleteTitle')}
      description={text('deleteHint')}
      footer={
        <>
          <Button onClick={onClose}>{text('cancel')}</Button>
          <Button variant="danger" onClick={remove}>
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

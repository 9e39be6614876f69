import { useState } from 'react';
import { useClient } from '../../../chat/client-provider.tsx';
import { useRefusal } from '../../../chat/use-refusal.ts';
import { useTexts } from '../../../i18n/text-context.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { lateMessageTexts } from '../late-texts.ts';
import type { MessageDialogProps } from '../message-item-props.ts';
import styles from './message-choices.module.css';

/** Asks before a deletion, and whether it is for good. */
export function DeleteDialog({ message, onClose }: MessageDialogProps) {
  const text = useTexts(lateMessageTexts);
  const { messages } = useClient();
  const showRefusal = useRefusal();
  const [isHard, setHard] = useState(false);
  const asked = {
    title: text('deleteTitle'),
    hint: text('deleteHint'),
    label: text('delete'),
    onConfirm: () => void messages.delete(message, { hard: isHard }).catch(showRefusal),
  };
  return (
    <ConfirmDialog asked={asked} onClose={onClose}>
      <label className={styles.choice}>
        <input type="checkbox" checked={isHard} onChange={(event) => setHard(event.target.checked)} />
        <span>
          {text('deleteHard')}
          <small className={styles.hint}>{text('deleteHardHint')}</small>
        </span>
      </label>
    </ConfirmDialog>
  );
}
